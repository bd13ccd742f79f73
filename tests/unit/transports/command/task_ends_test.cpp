// SPDX-License-Identifier: MIT
#include "transports/command/task_ends.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Ends = std::vector<TaskEnd>;

TEST(TaskEnds, AreReadAsEachPbsdshTellsThem) {
    struct {
        std::string line;
        std::optional<TaskEnd> end;
    } const rows[] = {
        {"pbsdsh: task 0x0000001F exit status 66", TaskEnd{31, 66}},
        {"/opt/pbs/bin/pbsdsh: task 0x00000000 exit status 271\r", TaskEnd{0, 271}},
        {"pbsdsh: task 12 exit status 127", TaskEnd{12, 127}},
        {"pbsdsh: task 12 exit status -1", TaskEnd{12, -1}},
        {"pbsdsh: task 12 exit status 0", std::nullopt},
        {"pbsdsh: task 12", std::nullopt},
        {"pbsdsh: task 12 exit status", std::nullopt},
        {"pbsdsh: task x exit status 1", std::nullopt},
        {"pbsdsh: task 0x exit status 1", std::nullopt},
        {"pbsdsh: task 99999999999999999999 exit status 1", std::nullopt},
        {"error 17002 on spawn", std::nullopt},
        {"", std::nullopt},
    };
    for (const auto& [line, end] : rows)
        EXPECT_EQ(read_task_end(line), end) << line;
}

TEST(TaskEnds, AreFoundHoweverTheLinesAreCut) {
    const std::string text =
        "error 17 on spawn\r\npbsdsh: task 0x00000003 exit status 66\r\n\n"
        "pbsdsh: task 4 exit status 0\npbsdsh: task 5 exit status 1\npbsdsh: task 6";
    for (size_t size = 1; size <= text.size(); ++size) {
        TaskEnds ends;
        Ends found;
        for (size_t at = 0; at < text.size(); at += size)
            for (const TaskEnd& end : ends.read(std::string_view(text).substr(at, size)))
                found.push_back(end);
        EXPECT_EQ(found, (Ends{{3, 66}, {5, 1}})) << size;
    }
}

TEST(TaskEnds, KeepNoLongLine) {
    TaskEnds ends;
    for (int n = 0; n < 10000; ++n)
        EXPECT_EQ(ends.read(std::string(1000, 'x')), Ends());
    EXPECT_EQ(ends.read("\npbsdsh: task 1 exit status 2\n"), (Ends{{1, 2}}));
}

}  // namespace
}  // namespace launch
