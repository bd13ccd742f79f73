// SPDX-License-Identifier: MIT
#include "core/stage/disk_thread.hpp"

#include <gtest/gtest.h>

#include "core/async/run.hpp"
#include "tests/unit/core/async/hang.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

awaitable<void> ask(DiskThread& disk, DiskThread::Work work, milliseconds patience,
                    std::stop_token stop, Status& said) {
    said = co_await disk.run(std::move(work), patience, std::move(stop));
}

TEST(DiskThread, says_what_the_work_says) {
    asio::io_context io;
    DiskThread disk(io.get_executor());
    Status said = Ok{};
    DiskThread::Work work{"/a", []() -> Status { return os_error("read", EIO); }};
    run_to_end(io, ask(disk, std::move(work), milliseconds{60'000}, {}, said));
    ASSERT_FALSE(said);
    EXPECT_EQ(said.error().operation, "read");
    EXPECT_FALSE(disk.hangs());
}

TEST(DiskThread, names_the_file_whose_disk_hangs) {
    const auto hang = std::make_shared<Hang>();
    {
        asio::io_context io;
        DiskThread disk(io.get_executor());
        Status said = Ok{};
        DiskThread::Work work{"/nfs/a", [hang]() -> Status {
                                  hang->hang();
                                  return Ok{};
                              }};
        run_to_end(io, ask(disk, std::move(work), milliseconds{100}, {}, said));
        ASSERT_FALSE(said);
        expect_told({"/nfs/a", "0.1 s"}, describe(said.error()));
        EXPECT_TRUE(disk.hangs());
    }
    EXPECT_EQ(hang->let_go(), 1u);
}

TEST(DiskThread, is_not_waited_for_at_the_end) {
    const auto hang = std::make_shared<Hang>();
    const auto begin = Clock::now();
    {
        asio::io_context io;
        DiskThread disk(io.get_executor());
        Status said = Ok{};
        std::stop_source end;
        const auto stop = [&] { asio::post(io, [&end] { end.request_stop(); }); };
        DiskThread::Work work{"/nfs/a", [hang, stop]() -> Status {
                                  hang->hang(stop);
                                  return Ok{};
                              }};
        run_to_end(io, ask(disk, std::move(work), milliseconds{60'000}, end.get_token(), said));
        EXPECT_TRUE(said);
        EXPECT_TRUE(disk.hangs());
    }
    EXPECT_LT(Clock::now() - begin, milliseconds{10'000});
    EXPECT_EQ(hang->let_go(), 1u);
}

}  // namespace
}  // namespace launch
