// SPDX-License-Identifier: MIT
#include "core/wire/job_report.hpp"

namespace launch {
namespace {

constexpr FrameType type_of(const UnreadyMessage*) {
    return FrameType::unready;
}
constexpr FrameType type_of(const ExitsMessage*) {
    return FrameType::exits;
}
constexpr FrameType type_of(const FaultMessage*) {
    return FrameType::fault;
}
constexpr FrameType type_of(const FailureMessage*) {
    return FrameType::refused;
}
constexpr FrameType type_of(const SurveyMessage*) {
    return FrameType::surveyed;
}
constexpr FrameType type_of(const SpawnMessage*) {
    return FrameType::spawn;
}
constexpr FrameType type_of(const CostsMessage*) {
    return FrameType::costs;
}
constexpr FrameType type_of(const StagedMessage*) {
    return FrameType::staged;
}

template <class... Messages>
std::optional<std::variant<Messages...>> decode_one(FrameType type, std::string_view payload,
                                                    const std::variant<Messages...>*) {
    std::optional<std::variant<Messages...>> report;
    const auto try_one = [&]<class Message>(const Message* message) {
        if (type_of(message) != type) return;
        if (auto decoded = Message::decode(payload)) report = *std::move(decoded);
    };
    (try_one(static_cast<const Messages*>(nullptr)), ...);
    return report;
}

}  // namespace

std::optional<StagedMessage> StagedMessage::decode(std::string_view payload) {
    const auto node = decode_number(payload);
    if (!node || *node > UINT32_MAX) return std::nullopt;
    return StagedMessage{static_cast<NodeIndex>(*node)};
}

FrameType type_of(const JobReport& report) {
    return std::visit([](const auto& message) { return type_of(&message); }, report);
}

std::string encode(const JobReport& report) {
    return std::visit([](const auto& message) { return message.encode(); }, report);
}

std::optional<JobReport> decode_job_report(FrameType type, std::string_view payload) {
    return decode_one(type, payload, static_cast<const JobReport*>(nullptr));
}

}  // namespace launch
