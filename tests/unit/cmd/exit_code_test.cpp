// SPDX-License-Identifier: MIT
#include "cmd/exit_code.hpp"

#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>

namespace launch {
namespace {

using Kind = ExitStatus::Kind;
using Stage = ExitStatus::Stage;

TEST(ExitCode, OfErrors) {
    struct {
        const char* row;
        ErrorKind kind;
        int code;
    } rows[] = {
        {"usage", ErrorKind::usage, 2},           {"unreachable", ErrorKind::unreachable, 69},
        {"not found", ErrorKind::not_found, 127}, {"not allowed", ErrorKind::not_allowed, 126},
        {"timed out", ErrorKind::timed_out, 124}, {"output", ErrorKind::output, 74},
        {"internal", ErrorKind::internal, 70},    {"staging", ErrorKind::staging, 73},
        {"protocol", ErrorKind::protocol, 76},    {"reader left", ErrorKind::reader_left, 141},
    };
    for (const auto& row : rows) {
        Error error;
        error.kind = row.kind;
        EXPECT_EQ(exit_code_of(error), row.code) << row.row;
    }
}

TEST(ExitCode, OfRanks) {
    struct {
        const char* row;
        ExitStatus status;
        int code;
    } rows[] = {
        {"success", {Kind::exited, 0, Stage::none}, 0},
        {"its own code", {Kind::exited, 3, Stage::none}, 3},
        {"a signal", {Kind::signalled, SIGSEGV, Stage::none}, 139},
        {"no such program", {Kind::not_started, ENOENT, Stage::exec}, 127},
        {"a file for a folder", {Kind::not_started, ENOTDIR, Stage::exec}, 127},
        {"no permission", {Kind::not_started, EACCES, Stage::exec}, 126},
        {"no such folder", {Kind::not_started, ENOENT, Stage::chdir}, 126},
        {"no process", {Kind::not_started, EAGAIN, Stage::fork}, 70},
        {"its host was lost", {Kind::lost, 0, Stage::none}, 69},
        {"nothing ends it", {Kind::stuck, 4711, Stage::none}, 70},
    };
    for (const auto& row : rows)
        EXPECT_EQ(exit_code_of(row.status), row.code) << row.row;
}

TEST(ExitCode, OfJobs) {
    Error timed_out;
    timed_out.kind = ErrorKind::timed_out;
    const ExitStatus failed{Kind::exited, 3, Stage::none};
    struct {
        const char* row;
        JobOutcome outcome;
        int code;
    } rows[] = {
        {"success", {}, 0},
        {"a rank", {.error = {}, .failed = failed, .signal = 0}, 3},
        {"^C", {.error = {}, .failed = {}, .signal = SIGINT}, 130},
        {"a rank goes before ^C", {.error = {}, .failed = failed, .signal = SIGINT}, 3},
        {"an error goes first", {.error = timed_out, .failed = failed, .signal = SIGINT}, 124},
    };
    for (const auto& row : rows)
        EXPECT_EQ(exit_code_of(row.outcome), row.code) << row.row;
}

}  // namespace
}  // namespace launch
