// SPDX-License-Identifier: MIT
#include "core/push/push_error.hpp"

#include "core/base/seconds.hpp"

namespace launch::push_error {
namespace {

constexpr const char* by_hand = "copy this executable to the same path there, or into PATH";

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
        return make_push_error("no folder there can store and run launch: " + without_end(words),
                               "set TMPDIR there to a folder that can, or " + std::string(by_hand));
    if (kind == "size") {
        const std::string taken = take_word(words);
        std::string cause = "only " + so_much(taken, size) + " could be written there";
        if (!words.empty()) cause += ": " + std::string(words);
        return make_push_error(std::move(cause), "is its disk full?");
    }
    if (kind == "sum")
        return make_push_error("the copy on the host differs from what was sent",
                               "does something between the hosts change bytes?");
    std::string cause = "launch does not run there";
    if (!words.empty()) cause += ": " + std::string(words);
    return make_push_error(std::move(cause),
                           "build launch on the oldest system that it must run on");
}

Error other_machine(const std::string& there, const std::string& here) {
    return make_push_error("the host is " + there + ", this machine " + here + " (uname -m)",
                           "leave the host out: all hosts of a job run the same build");
}

Error broken_off(uint64_t taken, uint64_t size, const std::string& said) {
    std::string cause = "the connection ended after " + so_much(std::to_string(taken), size);
    if (!said.empty()) cause += ": " + said;
    return make_push_error(std::move(cause), by_hand);
}

Error stands_still(uint64_t taken, uint64_t size, std::chrono::milliseconds limit) {
    return make_push_error("the host accepted " + so_much(std::to_string(taken), size) +
                               ", then none for " + in_seconds(limit),
                           "is the host overloaded? if it is only slow, raise --start-timeout");
}

Error no_greeting(std::chrono::milliseconds limit) {
    return make_push_error("launch was sent, but did not answer within " + in_seconds(limit),
                           "is the host overloaded? if it is only slow, raise --start-timeout");
}

Error unreadable(Error cause) {
    return make_push_error(cause.operation + ": " + cause.cause, by_hand);
}

}  // namespace launch::push_error
