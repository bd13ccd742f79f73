// SPDX-License-Identifier: MIT
#include "cmd/options/usage_error.hpp"

#include <utility>

#include "core/hosts/host_text.hpp"

namespace launch {
namespace {

constexpr std::string_view usual_hint = "see launch --help";

}  // namespace

Error usage_error(std::string cause) {
    Error error;
    error.kind = ErrorKind::usage;
    error.cause = std::move(cause);
    error.hint = usual_hint;
    return error;
}

Error with_page(Error error, std::string_view page) {
    if (page.empty()) return error;
    if (error.hint == usual_hint) error.hint = "see launch help " + std::string(page);
    for (auto& other : error.others)
        other = with_page(std::move(other), page);
    return error;
}

Error unreadable(const std::string& what, const std::string& path, int errno_value) {
    auto error = os_error(what + " " + shown_path(path), errno_value);
    error.kind = ErrorKind::usage;
    return error;
}

std::string shown_path(const std::string& path) {
    return has_control(path) ? quoted(path) : path;
}

}  // namespace launch
