#pragma once
// The studies of one store.

#include "bocs/study/study.hpp"

namespace bocs {

/// One row of `bocs studies`.
struct StudySummary {
  StudySpec spec;
  int budget = 0, past = 0;  // as of Study
  bool paused = false;
  int waiting = 0, running = 0, complete = 0, failed = 0, struck = 0;
  std::optional<double> best = {};  // f without the penalty, in the user's sense
  double created = 0;               // seconds since 1970, by the database's clock
};

/// Used by one thread at a time; so are all the studies it hands out, together.
class Store {
 public:
  /// "sqlite:FILE", "postgresql://USER:PASSWORD@HOST/DATABASE". Throws InvalidArgument for other URLs, StoreError when
  /// there is no such store, or it cannot be used. Passwords never appear in messages. Of a store that an older version
  /// wrote, whatever changes it throws StoreOutdated: see upgrade_store (store/upgrade.hpp).
  explicit Store(const std::string& url, const StoreOptions& options = {});

  /// Throws InvalidArgument when the spec is wrong or the name is taken. A caller that has made the spec's method
  /// already hands it on.
  Study create(const StudySpec& spec, std::shared_ptr<const Method> method = nullptr);
  /// Throws InvalidArgument, naming those there are.
  Study open(const std::string& name);
  /// The study of the spec, made if it is not there yet, however many processes do it at once. What Study::amend
  /// changes stays as it is; throws InvalidArgument when the study of that name differs in anything else.
  Study open_or_create(const StudySpec& spec, std::shared_ptr<const Method> method = nullptr);
  /// A new study with these trials, in the order they have: what was done in memory, to be shown, shared or continued.
  /// Those that were running wait. Throws as create() does.
  Study save(const StudySpec& spec, const History& history);
  bool contains(const std::string& name);
  std::vector<StudySummary> list();      // by name
  void remove(const std::string& name);  // with all its trials

  /// Tries it: false for a file or a user that may only read.
  [[nodiscard]] bool is_writable();
  /// All studies, as they are at one moment, into a new file of SQLite, while others go on with them. Throws StoreError
  /// when the file is there already, or cannot be written, and for stores of PostgreSQL, which has pg_dump.
  void backup(const std::string& file) { connection_->backup(file); }

  [[nodiscard]] const std::string& shown_url() const { return shown_url_; }  // without the password

 private:
  std::optional<Study> find(const std::string& name, std::shared_ptr<const Method> method);

  std::string shown_url_;
  std::shared_ptr<Connection> connection_;
};

}  // namespace bocs
