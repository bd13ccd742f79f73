// SPDX-License-Identifier: MIT
#include "transports/command/call_end_error.hpp"

#include <gtest/gtest.h>

#include "core/wire/call_end.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

TEST(CallEndError, SaysOfEachEndWhatToDo) {
    struct {
        int code;
        std::string operation;
    } const rows[] = {
        {static_cast<int>(CallEnd::no_file), "call back"},
        {static_cast<int>(CallEnd::unsafe), "call back"},
        {static_cast<int>(CallEnd::not_asked), "call back"},
        {static_cast<int>(CallEnd::no_way), "call back"},
        {static_cast<int>(CallEnd::not_told), "call back"},
        {127, "start launch there"},
        {126, "start launch there"},
        {271, "start launch there"},
    };
    for (const auto& row : rows) {
        const Error error = call_end_error(row.code, "/home/ann");
        EXPECT_EQ(error.operation, row.operation) << row.code;
        expect_golden(std::to_string(row.code), describe(error));
    }
}

}  // namespace
}  // namespace launch
