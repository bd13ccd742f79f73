#include "transports/command/call_end_error.hpp"

#include <gtest/gtest.h>

#include "core/wire/call_end.hpp"

namespace launch {
namespace {

TEST(CallEndError, SaysOfEachEndWhatToDo) {
    struct {
        int code;
        std::string operation;
        std::string cause;
        std::string hint;
    } const rows[] = {
        {static_cast<int>(CallEnd::no_file), "call back",
         "the host does not see what launch has written to /home/ann",
         "--call-folder DIR names a folder that all hosts see"},
        {static_cast<int>(CallEnd::unsafe), "call back",
         "a file of yours in /home/ann is not yours alone there",
         "--call-folder DIR names a folder that all hosts see"},
        {static_cast<int>(CallEnd::not_asked), "call back", "the host calls itself by another name",
         "name it as `hostname` does there"},
        {static_cast<int>(CallEnd::no_way), "call back", "it gets no answer from here",
         "does a firewall let no TCP connection through to here?"},
        {static_cast<int>(CallEnd::not_told), "call back", "launch there is another build",
         "put this executable at the same path there"},
        {127, "start launch there", "it is not there",
         "put this executable at the same path there"},
        {126, "start launch there",
         "it cannot be executed, or others may write to it, or to a folder above it",
         "chmod go-w there, or put this executable where only you may write"},
        {271, "start launch there", "it ended with exit code 271",
         "the output of the job may say why"},
    };
    for (const auto& row : rows) {
        const Error error = call_end_error(row.code, "/home/ann");
        EXPECT_EQ(error.operation, row.operation) << row.code;
        EXPECT_EQ(error.cause, row.cause) << row.code;
        EXPECT_EQ(error.hint, row.hint) << row.code;
    }
}

}  // namespace
}  // namespace launch
