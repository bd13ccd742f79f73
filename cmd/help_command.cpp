#include "cmd/help_command.hpp"

#include "cmd/console.hpp"
#include "cmd/help.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/run.hpp"

namespace launch {

int start_help(const std::vector<std::string>& words) {
    const auto page = help_page(words, wants_colour());
    return page ? show(*page) : fail(page.error());
}

int start_version(const std::vector<std::string>& words) {
    if (!words.empty()) return fail(usage_error("version takes no arguments"));
    return show(version_text());
}

}  // namespace launch
