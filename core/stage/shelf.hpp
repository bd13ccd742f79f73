// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "core/base/error.hpp"
#include "core/stage/disk_thread.hpp"
#include "core/stage/segments.hpp"

namespace launch {

/// The segments that a node has, for the nodes below it. They are read from its disk, where they
/// have just been written (a relay) or read (the head), so the kernel has them in its cache: a slow
/// child costs no memory here and does not delay others. Segments that are no longer in the cache,
/// or whose file system does not report that, are read in a thread.
class SegmentShelf {
  public:
    using Failed = std::function<void(Error error)>;
    SegmentShelf(any_io_executor executor, const std::vector<StagedFile>& files, Failed failed);

    const Segments& segments() const { return segments_; }
    /// Where a file is read; stays open as long as its owner lives.
    void put_file(size_t file, int descriptor, std::shared_ptr<const void> owner) {
        files_[file].descriptor = descriptor;
        files_[file].owner = std::move(owner);
    }
    /// Before its last segment is there.
    void put_checksum(size_t file, uint64_t checksum) { files_[file].checksum = checksum; }
    /// So many are there now.
    void advance(uint64_t available);

    uint64_t available() const { return available_; }
    /// An encoded SegmentMessage; empty: it cannot be read, which has been reported, or nobody
    /// wants it any more.
    awaitable<std::string> read(uint64_t number, std::stop_token stop);
    /// There may be more, or something else to look at.
    Event& changed() { return changed_; }

  private:
    struct File {
        std::string source;
        int descriptor = -1;
        std::shared_ptr<const void> owner;
        uint64_t checksum = 0;
    };
    struct Piece;

    Segments segments_;
    std::vector<File> files_;
    Failed failed_;
    Event changed_;
    DiskThread disk_;
    uint64_t available_ = 0;
};

}  // namespace launch
