#include "core/stage/shelf.hpp"

#include <cerrno>

#include "core/stage/disk_error.hpp"
#include "core/stage/read_at.hpp"
#include "core/wire/stage_messages.hpp"

namespace launch {

SegmentShelf::SegmentShelf(any_io_executor executor, const std::vector<StagedFile>& files,
                           Failed failed)
    : segments_(files), failed_(std::move(failed)), changed_(std::move(executor)) {
    for (const auto& file : files)
        files_.push_back({file.source, -1, 0});
}

void SegmentShelf::advance(uint64_t available) {
    available_ = available;
    changed_.notify();
}

std::string SegmentShelf::read(uint64_t number) {
    const auto segment = segments_.at(number);
    const File& file = files_[segment.file];
    std::string bytes(segment.length, '\0');
    const ssize_t n = read_at(file.descriptor, bytes, segment.offset);
    if (n != static_cast<ssize_t>(bytes.size())) {
        failed_(n < 0 ? stage_os_error(file.source, {}, errno)
                      : stage_error(file.source, {}, "it became shorter while it was sent"));
        return {};
    }
    return SegmentMessage{number, segment.last ? file.checksum : 0, bytes}.encode();
}

}  // namespace launch
