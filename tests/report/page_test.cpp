#include "bocs/report/page.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bocs
