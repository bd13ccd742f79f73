#include "cmd/request/output_request.hpp"

#include "core/base/environment.hpp"

namespace launch {
namespace {

constexpr const char* usual_label = "[%r] ";

void complete_label(const Settings& line, const Surroundings& around, OutputChoice& output) {
    const OutputSettings& said = line.output;
    output.label = said.label_pattern;
    if (said.label && output.label.empty()) output.label = usual_label;
    const bool plain = said.color == ColorChoice::never ||
                       (said.color == ColorChoice::automatic &&
                        !env_value(around.env, "NO_COLOR").empty());  // see no-color.org
    if (plain) return;
    const bool always = said.color == ColorChoice::always;
    output.color_out = always || around.streams.out_is_terminal;
    output.color_err = always || around.streams.err_is_terminal;
}

}  // namespace

Status complete_output(const Settings& line, const Surroundings& around, JobSpec& spec) {
    complete_label(line, around, spec.policies.output);
    return Ok{};
}

}  // namespace launch
