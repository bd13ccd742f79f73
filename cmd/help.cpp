// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <unistd.h>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/guide/guide.hpp"
#include "core/relay/relay.hpp"

namespace launch {
namespace {

/// Whether standard output wants colours: a terminal, and NO_COLOR is unset (no-color.org).
bool wants_colour() {
    const char* refused = std::getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) == 1 && (refused == nullptr || refused[0] == '\0');
}

Result<std::string> page_asked(const Asked& asked, bool colour) {
    const std::string topic = asked.words.empty() ? "" : asked.words.front();
    if (asked.settings.as_man_page && topic.empty())
        return asked.wrong("--man takes a topic, a command or launch");
    if (asked.settings.as_man_page) return guide::manual_of(topic);
    return topic.empty() ? guide::screen_text(colour) : guide::topic_text(topic, colour);
}

int show_or_fail(const Result<std::string>& page) {
    return page ? show(*page) : fail(page.error());
}

}  // namespace

Result<std::string> help_page(const std::vector<std::string>& words, bool colour) {
    const auto asked = read_command(*find_command("", {"help"}), words);
    return asked ? page_asked(*asked, colour) : asked.error();
}

int show_page(const std::string& name) {
    using Words = std::vector<std::string>;
    return show_or_fail(help_page(name.empty() ? Words{} : Words{name}, wants_colour()));
}

int show_help(const Asked& asked) {
    return show_or_fail(page_asked(asked, wants_colour()));
}

int show_version(const Asked& /*asked*/) {
    return show("launch " LAUNCH_VERSION " (build " + own_build_id() + ")\n");
}

}  // namespace launch
