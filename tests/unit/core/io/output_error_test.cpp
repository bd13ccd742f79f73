// SPDX-License-Identifier: MIT
#include "core/io/output_error.hpp"

#include <cerrno>
#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(OutputError, SaysWhyStandardOutputCannotBeWritten) {
    struct {
        int error;
        ErrorKind kind;
        const char* text;
    } rows[] = {
        {EBADF, ErrorKind::output, "write standard output: the stream is closed"},
        {EFBIG, ErrorKind::output, "write standard output: File too large"},
        {EPIPE, ErrorKind::reader_left, "write standard output: Broken pipe"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(output_error(row.error).kind, row.kind);
        EXPECT_EQ(describe(output_error(row.error)), row.text);
    }
}

}  // namespace
}  // namespace launch
