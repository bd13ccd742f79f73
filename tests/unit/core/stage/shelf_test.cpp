// SPDX-License-Identifier: MIT
#include "core/stage/shelf.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/base/fd.hpp"
#include "core/stage/read_at.hpp"
#include "core/wire/stage_messages.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

std::shared_ptr<const UniqueFd> file_of(const std::string& text) {
    auto file = std::make_shared<const UniqueFd>(memfd_create("staged", MFD_CLOEXEC));
    EXPECT_EQ(write(file->get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    return file;
}

/// Two files, the first of two segments; `text` is what they hold one after the other.
class Shelf : public testing::Test {
  protected:
    Shelf() {
        for (size_t i = 0; i < Segments::size + 9; ++i)
            text_.push_back(static_cast<char>('a' + i % 23));
        const size_t first = Segments::size + 5;
        const std::vector<StagedFile> files{{"/one", "one", first}, {"/two", "two", 4}};
        shelf_.emplace(io_.get_executor(), files,
                       [this](const Error& error) { failures_.push_back(describe(error)); });
        put(0, text_.substr(0, first), 11);
        put(1, text_.substr(first), 22);
    }
    void put(size_t index, const std::string& text, uint64_t checksum) {
        const auto file = file_of(text);
        shelf_->put_file(index, file->get(), file);
        shelf_->put_checksum(index, checksum);
    }
    awaitable<void> read_into(uint64_t number, std::stop_token stop, std::string& payload) {
        payload = co_await shelf_->read(number, std::move(stop));
    }
    std::string read(uint64_t number, std::stop_token stop = {}) {
        std::string payload;
        io_.restart();
        run_to_end(io_, read_into(number, std::move(stop), payload));
        return payload;
    }

    asio::io_context io_;
    std::string text_;
    std::vector<std::string> failures_;
    std::optional<SegmentShelf> shelf_;
};

TEST_F(Shelf, gives_what_its_files_hold) {
    std::string all;
    for (uint64_t number = 0; number < 3; ++number) {
        const std::string payload = read(number);
        const auto message = SegmentMessage::decode(payload);
        ASSERT_TRUE(message);
        EXPECT_EQ(message->number, number);
        EXPECT_EQ(message->checksum, number * 11);  // only a file's last segment tells it
        all += message->bytes;
    }
    EXPECT_TRUE(all == text_);
    EXPECT_EQ(failures_, std::vector<std::string>());
}

TEST_F(Shelf, tells_that_a_file_became_shorter) {
    put(1, "abc", 22);
    EXPECT_EQ(read(2), "");
    expect_told({"/two", "shorter"}, failures_);
}

TEST_F(Shelf, keeps_quiet_where_nobody_wants_it_any_more) {
    put(1, "abc", 22);
    std::stop_source end;
    end.request_stop();
    EXPECT_EQ(read(2, end.get_token()), "");
    EXPECT_EQ(failures_, std::vector<std::string>());
}

/// A pipe has no bytes that could be read without waiting, at any offset.
TEST(ReadCachedAt, waits_for_nothing) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const UniqueFd out(ends[0]);
    const UniqueFd in(ends[1]);
    std::string bytes(4, '\0');
    EXPECT_FALSE(read_cached_at(out.get(), bytes, 0));
    EXPECT_FALSE(read_cached_at(file_of("abc")->get(), bytes, 0));
}

}  // namespace
}  // namespace launch
