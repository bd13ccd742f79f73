// SPDX-License-Identifier: MIT
#include "cmd/options/transport_names.hpp"

#include <array>

#include "cmd/options/usage_error.hpp"
#include "cmd/options/values.hpp"
#include "core/base/list_text.hpp"
#include "core/hosts/host_text.hpp"
#include "transports/command/command_names.hpp"
#include "transports/command/command_template.hpp"

namespace launch {
namespace {

struct OwnTransport {
    std::string_view name;
    std::string_view help;
};

constexpr auto own_transports = std::to_array<OwnTransport>({
    {"local", "plays the hosts on this machine, to try things out"},
    {"ssh", "logs in within launch itself, the default"},
    {"openssh", "runs the ssh program in PATH"},
});

}  // namespace

std::vector<ChoiceWord> transport_words() {
    std::vector<ChoiceWord> words;
    for (const auto& each : own_transports)
        words.push_back({std::string(each.name), std::string(each.help)});
    for (const auto& each : named_commands())
        words.push_back({std::string(each.name), std::string(each.help)});
    words.push_back({"command", "any program that runs a command on a host", "LINE"});
    return words;
}

std::vector<std::string_view> transport_names() {
    std::vector<std::string_view> names;
    for (const auto& each : own_transports)
        names.push_back(each.name);
    for (const auto& each : named_commands())
        names.push_back(each.name);
    return names;
}

std::string objection_to_transport(std::string_view text) {
    const auto command = find_command(text);
    if (!command) {
        size_t ignored = 0;
        auto objection = find_choice(text, transport_names(), ignored);
        if (!objection.empty()) objection += " (or command:LINE, such as 'command:rsh {host}')";
        return objection;
    }
    const auto read = CommandTemplate::parse(command->line);
    if (read) return {};
    const Error& error = read.error();
    return error.hint.empty() ? error.cause : error.cause + " (" + error.hint + ")";
}

bool reaches_from_anywhere(std::string_view transport) {
    const auto command = find_command(transport);
    return !command || !command->from_head_only;
}

Status check_hosts_of_transport(const std::string& option, std::string_view transport,
                                const std::vector<Host>& hosts) {
    const auto command = find_command(transport);
    if (!command) return Ok{};
    auto line = CommandTemplate::parse(command->line);
    if (!line) return std::move(line.error());
    for (const Host& host : hosts)
        if (const auto why = line->objection_to(host); !why.empty())
            return usage_error(option + " " + std::string(transport) + " and " + to_string(host) +
                               ": " + why);
    return Ok{};
}

Error unknown_transport(const std::string& name) {
    const auto names = transport_names();
    auto error =
        usage_error("unknown transport " + shown(name) + did_you_mean(nearest(name, names)));
    error.hint = "known: " + joined(names, ", ");
    return error;
}

}  // namespace launch
