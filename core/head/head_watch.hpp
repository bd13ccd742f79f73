// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/wire/messages.hpp"

namespace launch {

/// Who wants as values what the head tells its user otherwise. Called in the head's thread while
/// the job runs, with nodes as the plan numbers them.
class HeadWatch {
  public:
    virtual ~HeadWatch() = default;

    virtual void host_failed(const FailureMessage& failure) = 0;
    /// Whatever a host has to say, also what users see with --verbose only.
    virtual void noticed(const NoticeMessage& notice) = 0;
    /// What the transport here decided on its own for a host.
    virtual void transport_noted(const std::string& host, const std::string& text) = 0;
    /// The rank's end has come here, after all that it wrote.
    virtual void rank_ended(uint32_t rank) = 0;
};

}  // namespace launch
