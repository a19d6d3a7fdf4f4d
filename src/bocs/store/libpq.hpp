#pragma once
// PostgreSQL's client library, opened when the first store of PostgreSQL is: a program that never uses one runs where
// it is not installed.

#include <libpq-fe.h>

namespace bocs {

/// The functions we call, under their own names.
struct Libpq {
  decltype(&::PQclear) clear;
  decltype(&::PQconnectPoll) connectPoll;
  decltype(&::PQconnectStartParams) connectStartParams;
  decltype(&::PQconninfoFree) conninfoFree;
  decltype(&::PQconninfoParse) conninfoParse;
  decltype(&::PQconsumeInput) consumeInput;
  decltype(&::PQenterPipelineMode) enterPipelineMode;
  decltype(&::PQerrorMessage) errorMessage;
  decltype(&::PQfinish) finish;
  decltype(&::PQflush) flush;
  decltype(&::PQftype) ftype;
  decltype(&::PQgetisnull) getisnull;
  decltype(&::PQgetlength) getlength;
  decltype(&::PQgetResult) getResult;
  decltype(&::PQgetvalue) getvalue;
  decltype(&::PQisBusy) isBusy;
  decltype(&::PQnfields) nfields;
  decltype(&::PQntuples) ntuples;
  decltype(&::PQpipelineSync) pipelineSync;
  decltype(&::PQresultErrorField) resultErrorField;
  decltype(&::PQresultStatus) resultStatus;
  decltype(&::PQresultErrorMessage) resultErrorMessage;
  decltype(&::PQsendPrepare) sendPrepare;
  decltype(&::PQsendQueryPrepared) sendQueryPrepared;
  decltype(&::PQsetnonblocking) setnonblocking;
  decltype(&::PQsetNoticeProcessor) setNoticeProcessor;
  decltype(&::PQsocket) socket;
  decltype(&::PQstatus) status;
};

/// Throws StoreError when it is not installed, or lacks a function.
const Libpq& libpq();

}  // namespace bocs
