#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/fetch/received_tree.hpp"
#include "core/io/byte_sink.hpp"
#include "core/job/fetch_spec.hpp"

namespace launch {

/// What has come of one host of what is fetched.
struct FetchedHost {
    bool complete = false;
    std::string cause;     ///< why not, where it is known
    bool is_here = false;  ///< the fault is this machine's
    std::string hint;
    uint64_t left_out = 0;  ///< sockets, pipes and devices
};

/// Makes of the streams of several hosts the trees that they send. One that fails leaves the others
/// alone. append() takes a host by its name, and may be in another thread than the rest.
class FetchedTrees : public ByteSink {
  public:
    explicit FetchedTrees(FetchSpec spec) : spec_(std::move(spec)) {}

    Status append(const std::string& host, std::string_view bytes) override;
    /// What came of it. Nothing is known while append() runs, which may be for ever where the disk
    /// hangs: this never waits for it.
    FetchedHost of(const std::string& host) const;

  private:
    struct Stream {
        FetchDecoder decoder;
        std::unique_ptr<ReceivedTree> tree;  ///< null: it is done with
        FetchedHost result;
    };
    static void take(Stream& stream, std::string_view bytes);

    FetchSpec spec_;
    mutable std::mutex mutex_;
    std::map<std::string, Stream> streams_;
};

}  // namespace launch
