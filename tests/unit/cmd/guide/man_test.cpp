// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/guide/print.hpp"

namespace launch::guide {
namespace {

/// What follows the line with the date, which changes with the version.
std::string roff_of(const std::string& body, const ManPage& page = {"7", {}}) {
    const auto document = read_document("# launch-x: what it is\n" + body);
    EXPECT_TRUE(document) << describe(document.error());
    const auto text = document ? man_text(*document, page) : "";
    return text.substr(text.find('\n') + 1);
}

TEST(Man, TitleNamesSectionAndVersion) {
    const auto document = read_document("# launch-x: what it is\n");
    ASSERT_TRUE(document);
    const auto text = man_text(*document, {"7", {}});
    EXPECT_EQ(text.rfind(".TH \"LAUNCH-X\" 7 \"20", 0), 0U) << text;
    EXPECT_NE(text.find("\"launch " LAUNCH_VERSION "\""), text.npos) << text;
}

TEST(Man, EachBlock) {
    EXPECT_EQ(roff_of("Words.\n\n## Host files\n\n- one\n\n```sh\na -b\n```\n\n"
                      "| a | b |\n| --- | --- |\n| `-c` | d |\n",
                      {"7", {"launch(1)", "x(7)"}}),
              ".SH \"NAME\"\n"
              "launch\\-x \\- what it is\n"
              ".SH \"DESCRIPTION\"\n"
              "Words.\n"
              ".SH \"HOST FILES\"\n"
              ".IP \\(bu 2\n"
              "one\n"
              ".PP\n"
              ".RS 4\n"
              ".nf\n"
              "a \\-b\n"
              ".fi\n"
              ".RE\n"
              ".TP\n"
              "\\fBa\\fR\n"
              "\\fIb\\fR\n"
              ".TP\n"
              "\\fB\\-c\\fR\n"
              "d\n"
              ".SH \"SEE ALSO\"\n"
              "launch(1), x(7)\n");
}

TEST(Man, LinesThatStandAsTheyAreFitTheScreen) {
    const std::string line(76, 'x');
    const auto text = roff_of("```sh\n" + line + "\n```\n");
    EXPECT_NE(text.find("\n.in 4n\n.nf\n" + line + "\n.fi\n.in\n"), text.npos) << text;
}

TEST(Man, NoDescriptionWhereThePageBeginsWithAHeading) {
    EXPECT_EQ(roff_of("## Synopsis\n\na").find("DESCRIPTION"), std::string::npos);
}

TEST(Man, AMinorHeadingIsOneOfItsSection) {
    const Document document{"launch-x", "what", {Heading{"Options"}, Heading{"Of -x", true}}};
    const auto text = man_text(document, {"7", {}});
    EXPECT_TRUE(text.ends_with(".SH \"OPTIONS\"\n.SS \"Of \\-x\"\n")) << text;
}

TEST(Man, NothingIsTakenForARequestOrAnotherSign) {
    EXPECT_EQ(roff_of("```sh\n.a 'b' \\n `c` ^~\n'd\n```\n"),
              ".SH \"NAME\"\nlaunch\\-x \\- what it is\n.SH \"DESCRIPTION\"\n.RS 4\n.nf\n"
              "\\&.a \\(aqb\\(aq \\en \\(gac\\(ga \\(ha\\(ti\n"
              "\\(aqd\n"
              ".fi\n.RE\n");
    const auto text = roff_of(".a `-b` well-known");
    EXPECT_NE(text.find("\n\\&.a \\fB\\-b\\fR well-known\n"), text.npos) << text;
}

TEST(Man, ALineThatBreaksBeforeADotIsNoRequest) {
    const auto text = roff_of(std::string(76, 'a') + " .b");
    EXPECT_NE(text.find("\n\\&.b\n"), text.npos) << text;
}

}  // namespace
}  // namespace launch::guide
