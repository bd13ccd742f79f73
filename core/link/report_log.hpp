// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "core/link/retransmit_buffer.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// The reports of one node that the head has not acknowledged. Sans I/O.
class ReportLog {
  public:
    using Entry = RetransmitBuffer::Entry;

    explicit ReportLog(NodeIndex origin = 0) : origin_(origin) {}
    void set_origin(NodeIndex origin) { origin_ = origin; }

    /// A control report: the entry to send.
    const Entry& add(FrameType type, std::string_view body);
    /// Output: waits for its turn, see next_output().
    void add_output(std::string_view body);

    const RetransmitBuffer& control() const { return control_; }
    /// The oldest output that was not sent; null: all was.
    const Entry* next_output() const { return output_.from(sent_ + 1); }
    /// The output with that number was sent. If rewind() came while it was, it does not count for
    /// those before it: they are sent again first.
    void output_sent(uint64_t number);
    /// The link broke: all that is here is to be sent again.
    void rewind() { sent_ = 0; }

    size_t output_bytes() const { return output_.bytes(); }
    /// How many reports the head has not acknowledged.
    size_t size() const { return control_.entries().size() + output_.entries().size(); }
    bool empty() const { return size() == 0; }
    void acknowledge(const AckMessage& ack);

  private:
    NodeIndex origin_;
    RetransmitBuffer control_;
    RetransmitBuffer output_;
    uint64_t sent_ = 0;  ///< the last output that was sent over the link there is
};

}  // namespace launch
