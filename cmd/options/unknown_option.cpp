// SPDX-License-Identifier: MIT
#include "cmd/options/unknown_option.hpp"

#include <cctype>
#include <string_view>

#include "cmd/options/foreign_options.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"

namespace launch {
namespace {

/// A number may be attached to the one letter of an option.
std::string_view advice_with_number(std::string_view spelling) {
    const auto advice = advice_for(spelling);
    const bool attached = advice.empty() && spelling.size() > 2 && spelling[1] != '-' &&
                          std::isdigit(static_cast<unsigned char>(spelling[2])) != 0;
    return attached ? advice_for(spelling.substr(0, 2)) : advice;
}

}  // namespace

Error unknown_option(const std::string& spelling, OptionTable table) {
    const std::string cause = "unknown option " + shown(spelling);
    // Only options of jobs have advice for users of other launchers.
    const bool of_jobs = find_key("ranks", Scope::program, table) != nullptr;
    const auto advice = of_jobs ? advice_with_number(spelling) : "";
    if (!advice.empty()) return usage_error(cause + ": " + std::string(advice));
    if (find_option(spelling) != nullptr)
        return usage_error("the option " + shown(spelling) + " does not go with this command");
    if (find_option(spelling, config_options()) != nullptr)
        return usage_error("the option " + shown(spelling) + " is for launch config");
    return usage_error(cause + did_you_mean(nearest_option(spelling, table)));
}

}  // namespace launch
