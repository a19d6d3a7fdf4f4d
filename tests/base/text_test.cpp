#include "bocs/base/text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bocs/numeric/rng.hpp"

namespace bocs {
namespace {

const std::string kBad = "\xEF\xBF\xBD";  // U+FFFD

/// By the JSON library, which writes nothing else.
bool is_utf8(const std::string& text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

void expect_cleaned(const std::string& text) {
  const std::string clean = clean_utf8(text);
  ASSERT_TRUE(is_utf8(clean)) << testing::PrintToString(text);
  ASSERT_EQ(clean.find('\0'), std::string::npos);
  ASSERT_EQ(clean == text, is_utf8(text) && text.find('\0') == std::string::npos) << testing::PrintToString(text);
}

TEST(CleanUtf8, KeepsWhatIsValidAndReplacesTheRest) {
  EXPECT_EQ(clean_utf8(""), "");
  EXPECT_EQ(clean_utf8("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"), "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(clean_utf8("a\xFFz"), "a" + kBad + "z");
  EXPECT_EQ(clean_utf8(std::string_view("a\0z", 3)), "a" + kBad + "z");
  EXPECT_EQ(clean_utf8("\xC3"), kBad);
  EXPECT_EQ(clean_utf8("\xE2\x82"), kBad);             // one character cut short is one replacement
  EXPECT_EQ(clean_utf8("\xF0\x9F\x98z"), kBad + "z");  // and does not swallow the next one
  EXPECT_EQ(clean_utf8("\xC3\xC3\xA9"), kBad + "\xC3\xA9");
}

TEST(CleanUtf8, AgreesWithTheJsonLibraryOnWhatIsValid) {
  for (int a = 0; a < 256; ++a) {
    expect_cleaned({static_cast<char>(a)});
    for (int b = 0; b < 256; b += a < 0xC0 ? 15 : 1) expect_cleaned({static_cast<char>(a), static_cast<char>(b), 'z'});
  }
  Rng rng(1, "bytes");
  for (int n = 0; n < 20000; ++n) {  // likely characters of three and four bytes, with their edge cases
    std::string text(1, static_cast<char>(0xE0 + rng.below(32)));
    const auto length = 2 + rng.below(3);
    while (text.size() < length) text += static_cast<char>(0x70 + rng.below(0x60));
    expect_cleaned(text);
  }
}

TEST(DidYouMean, OnlyWhatIsNear) {
  EXPECT_EQ(did_you_mean("trails", {"trials", "seed"}), "; did you mean 'trials'?");
  EXPECT_EQ(did_you_mean("colour", {"trials", "seed"}), "");
  EXPECT_EQ(did_you_mean("ab", {"xy"}), "");
  EXPECT_EQ(did_you_mean("c", {"a", "b"}), "");  // of one letter every other is one letter away
}

TEST(Joined, PutsTheSeparatorBetweenParts) {
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({"", "b"}), ", b");
  EXPECT_EQ(joined({"a", "b", "c"}, " and "), "a and b and c");
}

TEST(NestedDeeply, CountsBracketsAndDottedKeysOutsideOfQuotes) {
  const auto nested = [](int depth) { return std::string(depth, '[') + "1" + std::string(depth, ']'); };
  EXPECT_FALSE(is_nested_deeply(nested(64)));
  EXPECT_TRUE(is_nested_deeply(nested(65)));
  EXPECT_TRUE(is_nested_deeply(std::string(100'000, '{')));
  EXPECT_FALSE(is_nested_deeply("{\"a\": \"" + nested(100) + "\", \"b\": \"\\\"" + nested(100) + "\"}"));
  std::string key = "a";
  for (int i = 0; i < 64; ++i) key += ".a";
  EXPECT_TRUE(is_nested_deeply(key + " = 1"));
  EXPECT_FALSE(is_nested_deeply(key.substr(2) + " = 1"));
  std::string numbers = "x = [0.5";
  for (int i = 0; i < 1000; ++i) numbers += ", 0.5";
  EXPECT_FALSE(is_nested_deeply(numbers + "]  # don't [[[\n"));
}

}  // namespace
}  // namespace bocs
