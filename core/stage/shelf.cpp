// SPDX-License-Identifier: MIT
#include "core/stage/shelf.hpp"

#include <cerrno>

#include "core/stage/disk_error.hpp"
#include "core/stage/read_at.hpp"
#include "core/wire/stage_messages.hpp"

namespace launch {

SegmentShelf::SegmentShelf(any_io_executor executor, const std::vector<StagedFile>& files,
                           Failed failed)
    : segments_(files), failed_(std::move(failed)), changed_(executor), disk_(executor) {
    for (const auto& file : files)
        files_.push_back({file.source, -1, nullptr, 0});
}

/// Some bytes of a file, and what keeps it open while they are read.
struct SegmentShelf::Piece {
    std::shared_ptr<const void> owner;
    std::string source;
    int descriptor = -1;
    uint64_t offset = 0;
    std::string bytes;

    Status read() {
        const ssize_t n = read_at(descriptor, bytes, offset);
        if (n < 0) return stage_os_error(source, {}, errno);
        if (static_cast<size_t>(n) < bytes.size())
            return stage_error(source, {}, "the file became shorter while it was sent");
        return Ok{};
    }
};

void SegmentShelf::advance(uint64_t available) {
    available_ = available;
    changed_.notify();
}

awaitable<std::string> SegmentShelf::read(uint64_t number, std::stop_token stop) {
    const auto segment = segments_.at(number);
    const File& file = files_[segment.file];
    const auto piece =
        std::make_shared<Piece>(Piece{file.owner, file.source, file.descriptor, segment.offset,
                                      std::string(segment.length, '\0')});
    Status done = Ok{};
    if (!read_cached_at(piece->descriptor, piece->bytes, piece->offset)) {
        DiskThread::Work work{piece->source, [piece] { return piece->read(); }};
        done = co_await disk_.run(std::move(work), disk_patience, stop);
    }
    if (stop.stop_requested()) co_return std::string();
    if (!done) {
        failed_(std::move(done.error()));
        co_return std::string();
    }
    co_return SegmentMessage{number, segment.last ? file.checksum : 0, piece->bytes}.encode();
}

}  // namespace launch
