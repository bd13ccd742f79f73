#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "core/wire/frame.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// What one node has told the head and the head has not confirmed: told again when a link on the
/// way broke, since nobody knows how far it came. Sans I/O.
class NewsLog {
  public:
    struct Entry {
        uint64_t number = 0;
        FrameType type{};
        std::string payload;  ///< with its header
    };

    explicit NewsLog(NodeIndex origin = 0) : origin_(origin) {}
    void set_origin(NodeIndex origin) { origin_ = origin; }

    /// Control news: the entry to send.
    const Entry& add(FrameType type, std::string_view body);
    /// Output: waits for its turn, see next_output().
    void add_output(std::string_view body);

    const std::deque<Entry>& control() const { return control_; }
    /// The oldest output that was not sent; null: all was.
    const Entry* next_output() const;
    /// The output with that number was sent. If rewind() came while it was, it does not count for
    /// those before it: they are sent again first.
    void output_sent(uint64_t number);
    /// The link broke: what is not confirmed is to be sent again.
    void rewind() { sent_ = 0; }

    /// Bytes of output that are kept.
    size_t output_bytes() const { return bytes_; }
    void acknowledge(const AckMessage& ack);

  private:
    NodeIndex origin_;
    std::deque<Entry> control_;
    std::deque<Entry> output_;
    uint64_t sent_ = 0;  ///< the last output that was sent over the link there is
    size_t bytes_ = 0;
    uint64_t controls_ = 0;
    uint64_t outputs_ = 0;
};

}  // namespace launch
