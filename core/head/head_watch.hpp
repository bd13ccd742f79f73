// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/wire/messages.hpp"

namespace launch {

/// Receives as values the messages that the head would otherwise print for its user. It is called
/// in the head's thread while the job runs, with nodes as the plan numbers them.
class HeadWatch {
  public:
    virtual ~HeadWatch() = default;

    virtual void host_failed(const FailureMessage& failure) = 0;
    /// Whatever a host has to say, also what users see with --verbose only.
    virtual void noticed(const NoticeMessage& notice) = 0;
    /// The transport on this machine made a choice of its own for a host, and describes it in
    /// `text`.
    virtual void transport_noted(const std::string& host, const std::string& text) = 0;
    /// The rank's end has come here, after all that it wrote.
    virtual void rank_ended(uint32_t rank) = 0;
};

}  // namespace launch
