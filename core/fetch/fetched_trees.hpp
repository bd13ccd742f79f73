// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/fetch/received_tree.hpp"
#include "core/io/byte_sink.hpp"
#include "core/job/fetch_spec.hpp"

namespace launch {

/// The result of fetching from one host.
struct FetchedHost {
    bool complete = false;
    std::string cause;     ///< why not, where it is known
    bool is_here = false;  ///< it cannot be written on this machine
    std::string hint;
    bool is_over() const { return complete || !cause.empty(); }
    uint64_t unread = 0;  ///< files and folders that the host could not read
    std::string first_unread;
    uint64_t left_out = 0;  ///< sockets, pipes and devices
};

/// Makes of the streams of several hosts the trees that they send. One that fails leaves the others
/// alone. append() takes a host by its name, and may be in another thread than the rest.
class FetchedTrees : public ByteSink {
  public:
    explicit FetchedTrees(FetchSpec spec) : spec_(std::move(spec)) {}

    Status append(const std::string& host, std::string_view bytes) override;
    /// Each file that comes is made, and a disk may take some time for each.
    size_t most_at_once() const override { return 16u << 10; }
    /// How many hosts have sent all, or can send nothing that is wanted any more.
    size_t over() const { return over_; }
    /// Returns the result of one host. Nothing is known while append() runs, which may be for ever
    /// where the disk hangs: this never waits for it.
    FetchedHost of(const std::string& host) const;

  private:
    struct Stream {
        FetchDecoder decoder;
        std::unique_ptr<ReceivedTree> tree;  ///< null: it is done with
        FetchedHost result;
    };
    static void take(Stream& stream, std::string_view bytes);
    static void take(Stream& stream, const FetchRecord& record);

    FetchSpec spec_;
    mutable std::mutex mutex_;
    std::map<std::string, Stream> streams_;
    std::atomic<size_t> over_ = 0;
};

}  // namespace launch
