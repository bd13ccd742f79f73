// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/head/host_record.hpp"
#include "core/head/job_record.hpp"
#include "core/wire/starts.hpp"

namespace launch {

/// How far the start of each host is, as far as who starts it has told. A value without I/O.
class HostStarts {
  public:
    explicit HostStarts(size_t hosts) : hosts_(hosts) {}

    /// The last known stage of one host, and the node that starts it.
    struct Known {
        NodeIndex by = 0;
        HostStart start;
    };
    void take(const StartsMessage& message);
    /// Null: no report has come about the host.
    const Known* of(NodeIndex node) const;

  private:
    std::vector<std::optional<Known>> hosts_;
};

/// Folded, and cut where that is still long.
std::string short_names(std::vector<std::string> hosts);

/// The word for a stage, as users read it.
std::string stage_word(StartStage stage);

/// The hosts that are not up, folded by their stage, the furthest first: "node007 (hello),
/// node[008-009] (dial), node[010-012] (not tried yet)". Hosts without a report come last; if no
/// host has a report, the names stand alone.
std::string waiting_hosts(const JobRecord& record, const HostStarts& starts);
std::string waiting_hosts(const HostRecord& hosts, const HostStarts& starts);

}  // namespace launch
