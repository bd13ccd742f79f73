// SPDX-License-Identifier: MIT
#include "core/push/push_error.hpp"

#include "core/base/seconds.hpp"

namespace launch::push_error {
namespace {

constexpr const char* by_hand = "put the same launch at the same path there, or in PATH";

Error make_push_error(std::string cause, std::string hint) {
    Error error;
    error.kind = ErrorKind::unreachable;
    error.operation = "push";
    error.cause = std::move(cause);
    error.hint = std::move(hint);
    return error;
}

std::string take_word(std::string_view& text) {
    const size_t end = text.find(' ');
    std::string word(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return word;
}

std::string so_much(const std::string& taken, uint64_t size) {
    return taken + " of " + std::to_string(size) + " bytes";
}

/// A list as the script makes it, "/tmp: noexec, /var/tmp: no space, ".
std::string without_end(std::string_view list) {
    while (list.ends_with(',') || list.ends_with(' '))
        list.remove_suffix(1);
    return std::string(list);
}

}  // namespace

Error from_script(std::string_view words, uint64_t size) {
    const std::string kind = take_word(words);
    if (kind == "folder")
        return make_push_error("no folder there can hold and run it: " + without_end(words),
                               "set TMPDIR there to one, or " + std::string(by_hand));
    if (kind == "size") {
        const std::string taken = take_word(words);
        std::string cause = so_much(taken, size) + " could be written there";
        if (!words.empty()) cause += ": " + std::string(words);
        return make_push_error(std::move(cause), "is its disk full?");
    }
    if (kind == "sum")
        return make_push_error("what arrived there is not what was sent",
                               "does something on the way change bytes?");
    std::string cause = "it does not run there";
    if (!words.empty()) cause += ": " + std::string(words);
    return make_push_error(std::move(cause), "build launch on the oldest system that is to run it");
}

Error other_machine(const std::string& there, const std::string& here) {
    return make_push_error("uname -m says " + there + " there and " + here + " here",
                           "all hosts of a job run the same build: leave it out");
}

Error broken_off(uint64_t taken, uint64_t size, const std::string& said) {
    std::string cause = "it ended after " + so_much(std::to_string(taken), size);
    if (!said.empty()) cause += ": " + said;
    return make_push_error(std::move(cause), by_hand);
}

Error stands_still(uint64_t taken, uint64_t size, std::chrono::milliseconds limit) {
    return make_push_error(so_much(std::to_string(taken), size) +
                               " were taken, and no more within " + in_seconds(limit),
                           "is the host overloaded? if it is only slow: --start-timeout");
}

Error no_greeting(std::chrono::milliseconds limit) {
    return make_push_error("it was sent, and did not greet within " + in_seconds(limit),
                           "is the host overloaded? if it is only slow: --start-timeout");
}

Error unreadable(Error cause) {
    return make_push_error(cause.operation + ": " + cause.cause, by_hand);
}

}  // namespace launch::push_error
