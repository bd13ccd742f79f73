// SPDX-License-Identifier: MIT
#include "core/hosts/scheduler_hosts.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"
#include "core/base/terminal_text.hpp"
#include "core/hosts/host_text.hpp"

namespace launch {
namespace {

std::string_view cut_word(std::string_view& line) {
    constexpr std::string_view between = " \t\r\n\v\f";
    line.remove_prefix(std::min(line.find_first_not_of(between), line.size()));
    const auto word = line.substr(0, line.find_first_of(between));
    line.remove_prefix(word.size());
    return word;
}

/// Schedulers write names only, so whatever else a host list may hold is a mistake here. Returns
/// what is wrong as a clause, or an empty string.
std::string append_slots(std::string_view name, uint32_t slots, std::vector<Host>& hosts) {
    const auto objection = objection_to_name(name);
    if (!objection.empty()) return quoted(name) + ": " + objection;
    if (slots == 0) return {};
    if (!hosts.empty() && hosts.back().name == name && hosts.back().slots < UINT32_MAX - slots)
        hosts.back().slots += slots;  // a line for each of many cores makes one host
    else
        hosts.push_back({{}, std::string(name), 0, slots});
    return {};
}

/// A name and the number after it.
std::string append_counted(std::string_view name, std::string_view number,
                           std::vector<Host>& hosts) {
    if (number.empty()) return "no number of slots after " + quoted(name);
    const auto slots = parse_number<uint32_t>(number);
    if (!slots) return quoted(number) + " is not a number of slots";
    return append_slots(name, *slots, hosts);
}

/// A mistake in the text; line 0: of the whole.
Error text_error(const SchedulerText& text, std::size_t line, const std::string& cause) {
    if (text.path.empty()) return scheduler_error(text.variable, cause);
    const auto place = line > 0 ? ":" + std::to_string(line) : std::string();
    return scheduler_error(text.variable, terminal_text(text.path) + place + ": " + cause);
}

/// Calls read(line, hosts) for each line that is not blank; it returns what is wrong as a clause.
template <class Read>
Result<SchedulerHosts> read_lines(const SchedulerText& text, Read read) {
    SchedulerHosts made{{}, text.variable};
    std::string objection;
    std::size_t number = 0;
    std::size_t wrong_at = 0;
    for_each_part(text.text, '\n', [&](std::string_view line) {
        ++number;
        if (wrong_at != 0) return;
        auto first = line;
        if (cut_word(first).empty()) return;
        objection = read(line, made.hosts);
        if (!objection.empty()) wrong_at = number;
    });
    if (wrong_at != 0) return text_error(text, wrong_at, objection);
    if (made.hosts.empty()) return text_error(text, 0, "no host is named");
    return made;
}

/// Reads a variable whose items begin with what `read` takes.
template <class Read>
Result<SchedulerHosts> read_words(const SchedulerText& text, Read read) {
    SchedulerHosts made{{}, text.variable};
    std::string_view rest = text.text;
    for (auto word = cut_word(rest); !word.empty(); word = cut_word(rest)) {
        const std::string objection = read(word, rest, made.hosts);
        if (!objection.empty()) return text_error(text, 0, objection);
    }
    if (made.hosts.empty()) return text_error(text, 0, "no host is named");
    return made;
}

}  // namespace

Error scheduler_error(const std::string& variable, const std::string& cause) {
    return {.kind = ErrorKind::usage,
            .operation = {},
            .host = {},
            .cause = variable + ": " + cause,
            .hint = {}};
}

Result<SchedulerHosts> read_slot_lines(const SchedulerText& text) {
    return read_lines(text, [](std::string_view line, std::vector<Host>& hosts) {
        return append_slots(cut_word(line), 1, hosts);
    });
}

Result<SchedulerHosts> read_slot_words(const SchedulerText& text) {
    return read_words(text, [](std::string_view word, std::string_view& /*rest*/,
                               std::vector<Host>& hosts) { return append_slots(word, 1, hosts); });
}

Result<SchedulerHosts> read_counted_words(const SchedulerText& text) {
    return read_words(text,
                      [](std::string_view word, std::string_view& rest, std::vector<Host>& hosts) {
                          return append_counted(word, cut_word(rest), hosts);
                      });
}

Result<SchedulerHosts> read_counted_lines(const SchedulerText& text) {
    return read_lines(text, [](std::string_view line, std::vector<Host>& hosts) {
        const auto name = cut_word(line);
        return append_counted(name, cut_word(line), hosts);
    });
}

}  // namespace launch
