// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/async/detached_pool.hpp"
#include "core/async/task_group.hpp"
#include "core/io/file_set.hpp"

namespace launch {

/// Writes files beside the io_context's thread, as a disk or a file server may be slow, or never
/// answer: then it fails after a minute, and is left behind.
class OutputFiles {
  public:
    OutputFiles(any_io_executor executor, FileSet::Existing existing)
        : OutputFiles(std::move(executor), std::make_shared<FileSet>(existing)) {}
    /// Into something else than files by their paths.
    OutputFiles(any_io_executor executor, std::shared_ptr<ByteSink> sink);

    /// Queues the bytes for the end of that file; suspends while more than about a megabyte waits.
    /// False: something cannot be written, see error(); nothing is written any more then.
    awaitable<bool> write(std::string path, std::string bytes);
    /// Suspends until all is written, or something failed.
    awaitable<void> drain();

    const std::optional<Error>& error() const { return error_; }

  private:
    using Batch = std::vector<std::pair<std::string, std::string>>;
    struct Work;
    awaitable<void> carry();
    Batch next_batch();

    std::shared_ptr<ByteSink> sink_;
    DetachedPool thread_;
    std::deque<Batch::value_type> queue_;
    size_t waiting_ = 0;  ///< bytes that are queued, or being written
    bool carries_ = false;
    std::optional<Error> error_;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
