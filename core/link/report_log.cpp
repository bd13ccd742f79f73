// SPDX-License-Identifier: MIT
#include "core/link/report_log.hpp"

namespace launch {

const ReportLog::Entry& ReportLog::add(FrameType type, std::string_view body) {
    return control_.add(type, wrap_report({origin_, control_.next_number()}, body));
}

void ReportLog::add_output(std::string_view body) {
    output_.add(FrameType::output, wrap_report({origin_, output_.next_number()}, body));
}

void ReportLog::output_sent(uint64_t number) {
    const Entry* next = next_output();
    if (next != nullptr && next->number == number) sent_ = number;
}

void ReportLog::acknowledge(const AckMessage& ack) {
    control_.acknowledge(ack.control);
    output_.acknowledge(ack.output);
}

}  // namespace launch
