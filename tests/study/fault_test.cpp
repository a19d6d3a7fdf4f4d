// Disks that fail: a virtual file system of SQLite over the real one, whose n-th write, synchronization, lock or read
// fails, once. For all n of a short study.

#include <sqlite3.h>

#include <cstring>

#include "bocs/run/optimizer.hpp"
#include "bocs/run/work.hpp"
#include "bocs/store/patience.hpp"
#include "bocs/study/worker.hpp"
#include "store/store_fixture.hpp"

namespace bocs {
namespace {

enum class Operation { none, write, sync, lock, read };

/// What fails next; one study at a time.
struct Fault {
  Operation operation = Operation::none;
  int left = -1;  // so many succeed first
  int code = SQLITE_OK;
  int happened = 0;

  int pass(Operation now) {
    if (now != operation || left < 0 || left-- > 0) return SQLITE_OK;
    ++happened;
    return code;
  }
} fault;

sqlite3_vfs* real_system = nullptr;

/// In front of the real file, which follows it in memory.
struct FaultyFile {
  sqlite3_file base;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<FaultyFile*>(file)->real(); }

int close_file(sqlite3_file* f) { return real(f)->pMethods->xClose(real(f)); }
int read(sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
  if (const int code = fault.pass(Operation::read); code != SQLITE_OK) return code;
  return real(f)->pMethods->xRead(real(f), to, size, at);
}
int write(sqlite3_file* f, const void* from, int size, sqlite3_int64 at) {
  if (const int code = fault.pass(Operation::write); code != SQLITE_OK) {
    real(f)->pMethods->xWrite(real(f), from, size / 2, at);  // half of it arrives
    return code;
  }
  return real(f)->pMethods->xWrite(real(f), from, size, at);
}
int truncate(sqlite3_file* f, sqlite3_int64 size) { return real(f)->pMethods->xTruncate(real(f), size); }
int sync(sqlite3_file* f, int flags) {
  if (const int code = fault.pass(Operation::sync); code != SQLITE_OK) return code;
  return real(f)->pMethods->xSync(real(f), flags);
}
int file_size(sqlite3_file* f, sqlite3_int64* size) { return real(f)->pMethods->xFileSize(real(f), size); }
int lock(sqlite3_file* f, int level) {
  if (const int code = fault.pass(Operation::lock); code != SQLITE_OK) return code;
  return real(f)->pMethods->xLock(real(f), level);
}
int unlock(sqlite3_file* f, int level) { return real(f)->pMethods->xUnlock(real(f), level); }
int check_lock(sqlite3_file* f, int* out) { return real(f)->pMethods->xCheckReservedLock(real(f), out); }
int control(sqlite3_file* f, int what, void* with) { return real(f)->pMethods->xFileControl(real(f), what, with); }
int sector_size(sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); }
int characteristics(sqlite3_file* f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); }
int shm_map(sqlite3_file* f, int page, int size, int extend, void volatile** to) {
  return real(f)->pMethods->xShmMap(real(f), page, size, extend, to);
}
int shm_lock(sqlite3_file* f, int offset, int n, int flags) {
  if ((flags & SQLITE_SHM_LOCK) != 0) {
    if (const int code = fault.pass(Operation::lock); code != SQLITE_OK) return code;
  }
  return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}
void shm_barrier(sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); }
int shm_unmap(sqlite3_file* f, int remove) { return real(f)->pMethods->xShmUnmap(real(f), remove); }

const sqlite3_io_methods kMethods = {
    2,         close_file, read,    write,       truncate,        sync,    file_size, lock,
    unlock,    check_lock, control, sector_size, characteristics, shm_map, shm_lock,  shm_barrier,
    shm_unmap, nullptr,    nullptr};

int open_file(sqlite3_vfs* /*system*/, const char* name, sqlite3_file* f, int flags, int* out) {
  const int code = real_system->xOpen(real_system, name, real(f), flags, out);
  f->pMethods = real(f)->pMethods == nullptr ? nullptr : &kMethods;
  return code;
}

class FaultTest : public testing::Test {
 protected:
  FaultTest() {
    real_system = sqlite3_vfs_find(nullptr);
    system_ = *real_system;
    system_.zName = "faulty";
    system_.szOsFile = static_cast<int>(sizeof(FaultyFile)) + real_system->szOsFile;
    system_.xOpen = open_file;
    sqlite3_vfs_register(&system_, 1);
  }
  ~FaultTest() override {
    fault = {};
    sqlite3_vfs_unregister(&system_);
    std::filesystem::remove_all(folder_);
  }

  /// A study of four trials with one fault at the n-th operation. Returns false when there were not so many.
  bool survives(Operation operation, int code, int n) {
    const std::string url = "sqlite:" + (folder_ / (std::to_string(++studies_) + ".db")).string();
    const StudySpec spec = small_study(4);
    std::map<int, double> told;  // whatever a tell() returned from
    int evaluated = 0;
    const auto work_on_it = [&] {
      Study study = Store(url, {.create = true}).open_or_create(spec);
      for (;;) {
        const Trial trial = study.ask();
        ++evaluated;
        retry_while_unavailable({60}, [&] { study.tell(trial.number, count_ones(trial.x)); });
        told[trial.number] = count_ones(trial.x);
      }
    };
    fault = {operation, n, code, 0};
    for (int attempt = 0; attempt < 3; ++attempt) {
      try {
        work_on_it();
      } catch (const BudgetReached&) {
        break;
      } catch (const StoreError& error) {  // said in words; nothing else may come
        EXPECT_NE(std::string(error.what()).find(".db"), std::string::npos) << error.what();
      }
      // What a process leaves that ends here: trials without an owner, which nobody would take from a person.
      fault.left = -1;
      Study study = insist([&] { return Store(url, {.create = true}).open_or_create(spec); });
      for (const Claim& claim : study.table().claims()) study.release(claim.number);
    }
    const bool happened = fault.happened > 0;
    fault = {};
    Study study = Store(url).open("small");
    Optimizer twin(spec.task, spec.method);
    EXPECT_EQ(study.history().size(), 4);
    for (const Trial& trial : study.history().trials()) {
      const Trial expected = twin.ask();
      EXPECT_EQ(trial.state, State::complete);
      EXPECT_EQ(trial.x, expected.x) << trial.number;  // the same study as without faults
      EXPECT_EQ(trial.y, count_ones(trial.x));
      EXPECT_TRUE(told.contains(trial.number));
      twin.tell(expected.number, trial.y);
    }
    EXPECT_LE(evaluated, 5);  // an evaluation that was made is told, not made again
    EXPECT_EQ(connect(url)->execute("PRAGMA integrity_check").front().text(0), "ok");
    return happened;
  }

  /// Every n, or every `step`-th; returns how many operations there were, about.
  int all(Operation operation, int code, int step = 1) {
    int n = 0;
    while (survives(operation, code, n) && !HasFailure()) n += step;
    return n;
  }

 private:
  std::filesystem::path folder_ = new_folder();
  sqlite3_vfs system_{};
  int studies_ = 0;
};

TEST_F(FaultTest, AnyWriteMayFail) {
  const int writes = all(Operation::write, SQLITE_IOERR_WRITE);
  EXPECT_GT(writes, 20);
  std::printf("%d writes\n", writes);
}

TEST_F(FaultTest, TheDiskMayBeFullAtAnyWrite) { EXPECT_GT(all(Operation::write, SQLITE_FULL, 7), 20); }

TEST_F(FaultTest, AnySynchronizationMayFail) {
  const int syncs = all(Operation::sync, SQLITE_IOERR_FSYNC);
  EXPECT_GT(syncs, 4);
  std::printf("%d synchronizations\n", syncs);
}

TEST_F(FaultTest, AnyLockMayFail) {
  const int locks = all(Operation::lock, SQLITE_IOERR_LOCK);
  EXPECT_GT(locks, 20);
  std::printf("%d locks\n", locks);
}

TEST_F(FaultTest, AnyReadMayFail) { EXPECT_GT(all(Operation::read, SQLITE_IOERR_READ), 4); }

}  // namespace
}  // namespace bocs
