// SPDX-License-Identifier: MIT
#include "transports/command/job_slots.hpp"

#include <cstdlib>
#include <sstream>

#include "core/base/file_text.hpp"
#include "core/wire/callback_message.hpp"

namespace launch {
namespace {

constexpr size_t longest_node_file = 256U << 20;  // a line for each core of the largest machines

}  // namespace

JobSlots::JobSlots(const std::string& node_file) {
    std::istringstream lines(node_file);
    for (std::string host; lines >> host;)
        slots_.push_back(host);
    hosts_ = {slots_.begin(), slots_.end()};
}

JobSlots JobSlots::of_this_job() {
    const char* path = std::getenv("PBS_NODEFILE");
    return path == nullptr ? JobSlots() : JobSlots(read_file(path, longest_node_file).text);
}

std::string JobSlots::host_of(size_t slot) const {
    return slot < slots_.size() ? slots_[slot] : "";
}

bool JobSlots::may_have(const std::string& host) const {
    return slots_.empty() || hosts_.contains(host) ||
           own_place({hosts_.begin(), hosts_.end()}, {host}).has_value();
}

}  // namespace launch
