// Files of SQLite: what may happen to them from outside.

#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <fstream>

#include "bocs/study/worker.hpp"
#include "store/store_fixture.hpp"

namespace bocs {
namespace {

class SqliteTest : public testing::Test {
 protected:
  ~SqliteTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string url() const { return "sqlite:" + file().string(); }
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "studies.db"; }
  std::filesystem::path folder_ = new_folder();
};

TEST_F(SqliteTest, AMissingFileIsNotCreatedUnlessAsked) {
  EXPECT_THROW(Store{url()}, StoreError);
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(SqliteTest, AFileOfAnotherKindIsRefusedAndLeftAlone) {
  const std::string text = "not a database at all, but a letter of some length to somebody who cares for databases";
  std::ofstream(file()) << text;
  const auto message = message_of<StoreError>([&] { Store(this->url(), {.create = true}); });
  EXPECT_NE(message.find("not a database"), std::string::npos) << message;
  std::ifstream stream(file());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), text);
}

TEST_F(SqliteTest, ALockedFileIsUnavailable) {
  Store first(url(), {.create = true});
  first.create(small_study(3));
  const auto holder = connect(url());
  Store second(url(), {.create = false, .busy_seconds = 0.2});
  Study study = second.open("small");
  holder->transaction([&] {
    const auto message = message_of<StoreUnavailable>([&] { study.ask(); });
    EXPECT_NE(message.find("locked"), std::string::npos) << message;
  });
  EXPECT_EQ(study.ask().number, 0);  // and nothing was lost
}

/// body() as somebody who may read, but not write, the file; throws what is wrong.
void as_reader(const std::filesystem::path& file, const std::function<void()>& body) {
  constexpr int kCannotTell = 77;
  const int code = wait_for(spawn([&] {
    const bool became_nobody = getuid() != 0 || (setegid(65534) == 0 && seteuid(65534) == 0);
    if (!became_nobody || euidaccess(file.c_str(), R_OK) != 0) _exit(kCannotTell);
    body();
    if (testing::Test::HasFailure()) throw std::runtime_error("failed");
  }));
  if (code == kCannotTell) GTEST_SKIP() << "root cannot become somebody who may read, but not write, the file";
  EXPECT_EQ(code, 0);
}

TEST_F(SqliteTest, AReadOnlyFileCanBeLookedAtAndWritingIsAClearError) {
  { Store(url(), {.create = true}).create(small_study(3)).tell(Point(12, 1), 5); }
  std::filesystem::permissions(file(), std::filesystem::perms(0444));
  for (const int folder_mode : {0777, 0555}) {
    std::filesystem::permissions(folder_, std::filesystem::perms(folder_mode));
    as_reader(file(), [&] {
      Store store(this->url());
      EXPECT_EQ(store.list().size(), 1U);
      Study study = store.open("small");
      EXPECT_EQ(study.best()->y, 5);
      const auto message = message_of<StoreError>([&] { study.ask(); });
      EXPECT_NE(message.find("read-only"), std::string::npos) << message;
    });
  }
  std::filesystem::permissions(folder_, std::filesystem::perms(0777));
}

TEST_F(SqliteTest, OfAReadOnlyFileNothingRecentIsLeftOutInSilence) {
  Study study = Store(url(), {.create = true}).create(small_study(3));
  study.tell(Point(12, 1), 5);  // in the -wal file, since the store is open
  std::filesystem::copy(file(), folder_ / "copy.db");
  std::filesystem::copy(file().string() + "-wal", folder_ / "copy.db-wal");
  std::filesystem::permissions(folder_ / "copy.db", std::filesystem::perms(0444));
  std::filesystem::permissions(folder_ / "copy.db-wal", std::filesystem::perms(0444));
  std::filesystem::permissions(folder_, std::filesystem::perms(0555));
  as_reader(folder_ / "copy.db", [&] {
    const auto message = message_of<StoreError>([&] { Store("sqlite:" + (folder_ / "copy.db").string()).list(); });
    EXPECT_NE(message.find("-wal"), std::string::npos) << message;
  });
  std::filesystem::permissions(folder_, std::filesystem::perms(0777));
}

TEST_F(SqliteTest, AMovedDeletedOrReplacedFileIsNoticedAtTheNextTrial) {
  for (const std::string what : {"moved", "deleted", "replaced"}) {
    const auto path = folder_ / (what + ".db");
    Study study = Store("sqlite:" + path.string(), {.create = true}).create(small_study(5));
    study.tell(study.ask().number, 1);
    const Trial trial = study.ask();
    if (what == "deleted") {
      std::filesystem::remove(path);
    } else {
      std::filesystem::rename(path, folder_ / "elsewhere.db");
    }
    if (what == "replaced") std::ofstream(path) << "something else";
    for (int i = 0; i < 2; ++i) {
      const auto message = message_of<StoreError>([&] { i == 0 ? study.tell(trial.number, 2) : (void)study.ask(); });
      EXPECT_NE(message.find("moved"), std::string::npos) << message;
    }
  }
}

TEST_F(SqliteTest, ABackupIsWholeWhileOthersWrite) {
  Store store(url(), {.create = true});
  Study study = store.create(small_study(0));
  for (int i = 0; i < 20; ++i) study.tell(study.ask().number, i);
  const std::string copy = (folder_ / "a copy?.db").string();
  std::atomic<bool> ended = false;
  std::jthread writer([&] {
    Study other = Store(this->url()).open("small");
    while (!ended) other.tell(other.ask().number, 100);
  });
  store.backup(copy);
  ended = true;
  writer.join();
  EXPECT_THROW(store.backup(copy), StoreError);  // it is there
  EXPECT_THROW(store.backup((folder_ / "missing/copy.db").string()), StoreError);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    files += entry.path().filename().string().starts_with("a copy") ? 1 : 0;
  }
  EXPECT_EQ(files, 1);  // one file is all of it; nothing unfinished is left
  const Study copied = Store("sqlite:" + copy).open("small");
  ASSERT_GE(copied.history().size(), 20);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(copied.history().find(i)->y, i);
}

TEST_F(SqliteTest, FilesAreOfTheUsersUmask) {
  const mode_t before = umask(027);
  { Store(url(), {.create = true}).backup((folder_ / "copy.db").string()); }
  umask(before);
  for (const auto& path : {file(), folder_ / "copy.db"}) {
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0640)) << path;
  }
}

TEST_F(SqliteTest, AFullDiskIsUnavailableAndNothingIsDamaged) {
  const auto disk = folder_ / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=400k") != 0) GTEST_SKIP() << "a small disk cannot be mounted here";
  const std::string on_disk = "sqlite:" + (disk / "studies.db").string();
  int told = 0;
  {
    Store store(on_disk, {.create = true});
    Study study = store.create(small_study(0));
    const auto fill = [&] {
      for (;;) {
        study.tell(study.ask().number, Outcome::failure(std::string(2000, 'x')));
        ++told;
      }
    };
    const auto message = message_of<StoreUnavailable>(fill);
    EXPECT_NE(message.find("disk is full"), std::string::npos) << message;
    EXPECT_GT(told, 0);
  }
  EXPECT_EQ(mount(nullptr, disk.c_str(), nullptr, MS_REMOUNT, "size=8m"), 0);
  {
    Store store(on_disk);
    Study study = store.open("small");
    int failed = 0;
    for (const auto& trial : study.history().trials()) failed += trial.state == State::failed ? 1 : 0;
    EXPECT_GE(failed, told);  // what was told is there, and the study goes on
    EXPECT_LE(failed, told + 1);
    study.tell(study.ask().number, 1);
    EXPECT_EQ(connect(on_disk)->execute("PRAGMA integrity_check").front().text(0), "ok");
  }
  EXPECT_EQ(umount(disk.c_str()), 0);
}

}  // namespace
}  // namespace bocs
