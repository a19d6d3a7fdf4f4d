#include "bocs/store/process.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include "store/store_fixture.hpp"

namespace bocs {
namespace {

TEST(Process, NamesAreUnique) {
  EXPECT_NE(unique_name(), unique_name());
  EXPECT_NE(name_worker(), name_worker());
}

TEST(Process, ARunningOneIsNotGoneAndAKilledOneIs) {
  EXPECT_FALSE(is_gone(name_worker()));
  int names[2];
  ASSERT_EQ(pipe(names), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string name = name_worker();
    if (write(names[1], name.data(), name.size()) < 0) _exit(1);
    for (;;) pause();
  }
  char buffer[512];
  const auto length = read(names[0], buffer, sizeof buffer);
  ASSERT_GT(length, 0);
  const std::string name(buffer, static_cast<std::size_t>(length));
  EXPECT_FALSE(is_gone(name));
  kill(child, SIGKILL);
  EXPECT_TRUE(eventually([&] { return is_gone(name); })) << "as a zombie";
  EXPECT_EQ(wait_for(child), -1);
  EXPECT_TRUE(is_gone(name));
  close(names[0]);
  close(names[1]);
}

TEST(Process, WhatCannotBeKnownIsNotGone) {
  for (const char* name : {"", "nonsense", "host/1/2/elsewhere/x", "host/x/y/z/u", "a/b", "/////"}) {
    EXPECT_FALSE(is_gone(name)) << name;
  }
}

TEST(Process, AUsedAgainNumberIsAnotherProcess) {
  std::string name = name_worker();  // host/pid/start/...
  const auto pid_end = name.find('/', name.find('/') + 1);
  const auto start_end = name.find('/', pid_end + 1);
  ASSERT_GT(start_end, pid_end + 1) << "no /proc here";
  name.replace(pid_end + 1, start_end - pid_end - 1, "1");
  EXPECT_TRUE(is_gone(name));
}

}  // namespace
}  // namespace bocs
