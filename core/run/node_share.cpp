#include "core/run/node_share.hpp"

#include <chrono>

namespace launch {
namespace {

/// Those of a file server that is down are not there for other jobs any more.
constexpr size_t most_threads = 256;
constexpr std::chrono::seconds between_jobs{2};

}  // namespace

NodeShare::NodeShare(any_io_executor executor)
    : files_(std::move(executor), most_threads, between_jobs), before_(host_limits()) {
    raise_file_limit();
    now_ = host_limits();
}

}  // namespace launch
