// SPDX-License-Identifier: MIT
#include "core/stage/segments.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

std::vector<StagedFile> files_of(const std::vector<uint64_t>& sizes) {
    std::vector<StagedFile> files;
    for (const uint64_t size : sizes)
        files.push_back({"/a", "a", size, 0644});
    return files;
}

TEST(Segments, CoverEveryByteOnce) {
    constexpr uint64_t s = Segments::size;
    struct {
        const char* row;
        std::vector<uint64_t> sizes;
        uint64_t total;
    } rows[] = {
        {"an empty file", {0}, 1},
        {"empty files between others", {0, 5, 0, s, 0}, 5},
        {"one byte over", {s, s + 1, 2 * s - 1, 1}, 6},
        {"no file", {}, 0},
    };
    for (const auto& row : rows) {
        const Segments segments(files_of(row.sizes));
        EXPECT_EQ(segments.total(), row.total) << row.row;
        size_t file = 0;
        uint64_t offset = 0;
        for (uint64_t n = 0; n < segments.total(); ++n) {
            const auto at = segments.at(n);
            EXPECT_EQ(at.file, file) << row.row;
            EXPECT_EQ(at.offset, offset) << row.row;
            offset += at.length;
            EXPECT_EQ(at.last, offset == row.sizes[file]) << row.row;
            if (!at.last) continue;
            EXPECT_EQ(segments.start_of(file + 1), n + 1) << row.row;
            ++file;
            offset = 0;
        }
        EXPECT_EQ(file, row.sizes.size()) << row.row;
    }
}

TEST(Segments, OfAFileTooLargeForAnyDisk) {
    const Segments segments(files_of({uint64_t{1} << 56, 3}));
    const auto last = segments.at(segments.total() - 1);
    EXPECT_EQ(last.file, 1u);
    EXPECT_EQ(last.length, 3u);
    EXPECT_EQ(segments.at(segments.total() - 2).offset, (uint64_t{1} << 56) - Segments::size);
}

}  // namespace
}  // namespace launch
