#ifdef BOCS_POSTGRESQL
#include "bocs/store/libpq.hpp"

#include <dlfcn.h>

#include <string>

#include "bocs/base/error.hpp"

namespace bocs {
namespace {

constexpr const char* kFile = "libpq.so.5";

void* open() {
  void* library = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  throw StoreError("PostgreSQL's client library " + std::string(kFile) +
                   " cannot be loaded: install libpq (Debian: apt-get install libpq5), or use a store of SQLite");
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw StoreError(std::string(kFile) + " is too old: it has no " + name);
}

Libpq load() {
  void* library = open();  // never closed: connections may live to the end of the process
  Libpq pq{};
  find(library, "PQclear", pq.clear);
  find(library, "PQconnectPoll", pq.connectPoll);
  find(library, "PQconnectStartParams", pq.connectStartParams);
  find(library, "PQconninfoFree", pq.conninfoFree);
  find(library, "PQconninfoParse", pq.conninfoParse);
  find(library, "PQconsumeInput", pq.consumeInput);
  find(library, "PQenterPipelineMode", pq.enterPipelineMode);
  find(library, "PQerrorMessage", pq.errorMessage);
  find(library, "PQfinish", pq.finish);
  find(library, "PQflush", pq.flush);
  find(library, "PQftype", pq.ftype);
  find(library, "PQgetisnull", pq.getisnull);
  find(library, "PQgetlength", pq.getlength);
  find(library, "PQgetResult", pq.getResult);
  find(library, "PQgetvalue", pq.getvalue);
  find(library, "PQisBusy", pq.isBusy);
  find(library, "PQnfields", pq.nfields);
  find(library, "PQntuples", pq.ntuples);
  find(library, "PQpipelineSync", pq.pipelineSync);
  find(library, "PQresultErrorField", pq.resultErrorField);
  find(library, "PQresultStatus", pq.resultStatus);
  find(library, "PQresultErrorMessage", pq.resultErrorMessage);
  find(library, "PQsendPrepare", pq.sendPrepare);
  find(library, "PQsendQueryPrepared", pq.sendQueryPrepared);
  find(library, "PQsetnonblocking", pq.setnonblocking);
  find(library, "PQsetNoticeProcessor", pq.setNoticeProcessor);
  find(library, "PQsocket", pq.socket);
  find(library, "PQstatus", pq.status);
  return pq;
}

}  // namespace

const Libpq& libpq() {
  static const Libpq loaded = load();  // tried again next time if it throws
  return loaded;
}

}  // namespace bocs
#endif
