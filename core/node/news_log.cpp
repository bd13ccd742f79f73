#include "core/node/news_log.hpp"

#include <algorithm>

namespace launch {

const NewsLog::Entry& NewsLog::add(FrameType type, std::string_view body) {
    ++controls_;
    control_.push_back({controls_, type, wrap_news({origin_, controls_}, body)});
    return control_.back();
}

void NewsLog::add_output(std::string_view body) {
    ++outputs_;
    output_.push_back({outputs_, FrameType::output, wrap_news({origin_, outputs_}, body)});
    bytes_ += output_.back().payload.size();
}

const NewsLog::Entry* NewsLog::next_output() const {
    if (output_.empty()) return nullptr;
    // What was sent before the link broke may be confirmed before it is sent again.
    const uint64_t first = output_.front().number;
    const uint64_t next = std::max(sent_ + 1, first);
    return next <= outputs_ ? &output_[next - first] : nullptr;
}

void NewsLog::output_sent(uint64_t number) {
    const Entry* next = next_output();
    if (next != nullptr && next->number == number) sent_ = number;
}

void NewsLog::acknowledge(const AckMessage& ack) {
    while (!control_.empty() && control_.front().number <= ack.control)
        control_.pop_front();
    while (!output_.empty() && output_.front().number <= ack.output) {
        bytes_ -= output_.front().payload.size();
        output_.pop_front();
    }
}

}  // namespace launch
