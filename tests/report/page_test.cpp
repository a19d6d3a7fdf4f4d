#include "bocs/report/page.hpp"

#include <gtest/gtest.h>

#include <set>

namespace bocs {
namespace {

TEST(Page, NothingOfTheDataEndsItsElement) {
  const std::string html = page_html({{"kind", "study"}, {"name", "</script><script>alert(1)</script><!--\xff"}});
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_NE(html.find("\\u003c/script>\\u003cscript>"), std::string::npos);
  EXPECT_NE(html.find("\xef\xbf\xbd"), std::string::npos) << "bytes that are no UTF-8 are replaced";
}

TEST(Page, IsOneFileWithoutModulesOrAddresses) {
  const std::string html = page_html({});
  for (const char* outside : {"\nimport ", "\nexport ", "src=\"", "<link rel=\"stylesheet", "https://"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(html.find("startReport();"), std::string::npos);
  EXPECT_FALSE(web_file("bogus.js"));
}

TEST(Page, LendsItsColoursToPictures) {
  const std::vector<std::string> colours = series_colours();
  ASSERT_EQ(colours.size(), 10U);
  EXPECT_EQ(colours.front(), "#0072B2");  // of the light theme
  EXPECT_EQ(std::set<std::string>(colours.begin(), colours.end()).size(), 10U);
  for (const std::string& colour : colours) EXPECT_EQ(colour.find_first_not_of("#0123456789ABCDEF"), std::string::npos);
}

}  // namespace
}  // namespace bocs
