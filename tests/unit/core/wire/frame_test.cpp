// SPDX-License-Identifier: MIT
#include "core/wire/frame.hpp"

#include <gtest/gtest.h>

#include "tests/unit/core/harness/framed.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

std::string greeted(std::string_view rest = {}) {
    return std::string(link_magic) + std::string(rest);
}

TEST(FrameParser, gives_frames_whatever_the_cuts_in_the_stream) {
    const std::string stream = "motd\n" + greeted(framed(FrameType::hello, "abc")) +
                               framed(FrameType::finish, "") +
                               framed(FrameType::output, std::string(5000, 'x'));
    for (size_t step = 1; step < stream.size(); step = step * 2 + 1) {
        FrameParser parser;
        std::vector<Frame> frames;
        for (size_t at = 0; at < stream.size(); at += step) {
            parser.feed(std::string_view(stream).substr(at, step));
            for (;;) {
                auto frame = parser.next();
                ASSERT_TRUE(frame) << "step " << step;
                if (!frame->has_value()) break;
                frames.push_back(std::move(**frame));
            }
        }
        ASSERT_EQ(frames.size(), 3u) << "step " << step;
        EXPECT_EQ(frames[0].payload, "abc");
        EXPECT_EQ(frames[1].type, FrameType::finish);
        EXPECT_EQ(frames[2].payload.size(), 5000u);
        EXPECT_EQ(parser.noise(), "motd\n");
    }
}

TEST(FrameParser, refuses_what_no_launch_sent) {
    struct Row {
        const char* name;
        std::string bytes;
    };
    const Row rows[] = {
        {"only noise", std::string(max_noise + 100, 'n')},
        {"too long a frame", greeted(std::string("\xff\xff\xff\xff\x01", 5))},
        {"type 0", greeted(std::string("\0\0\0\0\0", 5))},
        {"type 200", greeted(std::string("\0\0\0\0\xc8", 5))},
    };
    for (const auto& row : rows) {
        FrameParser parser;
        parser.feed(row.bytes);
        const auto frame = parser.next();
        ASSERT_FALSE(frame) << row.name;
        expect_golden(row.name, frame.error().cause);
    }
}

TEST(FrameParser, waits_for_the_rest) {
    FrameParser parser;
    parser.feed(greeted(framed(FrameType::job, "0123456789")).substr(0, 25));
    const auto frame = parser.next();
    ASSERT_TRUE(frame);
    EXPECT_FALSE(frame->has_value());
}

}  // namespace
}  // namespace launch
