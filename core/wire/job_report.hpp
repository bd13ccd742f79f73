// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/wire/costs.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/spawn_messages.hpp"
#include "core/wire/survey.hpp"

namespace launch {

/// All files of the job are on the node, and its ranks start.
struct StagedMessage {
    NodeIndex node = 0;

    std::string encode() const { return encode_number(node); }
    static std::optional<StagedMessage> decode(std::string_view payload);
};

/// A report of a job's part at a node to its head. A FailureMessage: the node cannot take part in
/// the job.
using JobReport = std::variant<UnreadyMessage, ExitsMessage, FaultMessage, StagedMessage,
                               FailureMessage, SurveyMessage, SpawnMessage, CostsMessage>;

FrameType type_of(const JobReport& report);
std::string encode(const JobReport& report);
/// Nothing: malformed, or of another type.
std::optional<JobReport> decode_job_report(FrameType type, std::string_view payload);

}  // namespace launch
