// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace launch {

/// The class of an error; cmd/ maps each to one exit code (cmd/exit_code.hpp).
enum class ErrorKind : unsigned char {
    usage,        ///< the user's words are wrong; nothing was started
    unreachable,  ///< a host could not be started on, or was lost
    not_found,    ///< a program to execute does not exist
    not_allowed,  ///< a program exists and cannot be executed
    timed_out,    ///< the user's own --timeout, or --hang
    output,       ///< the head's own output could not be written
    reader_left,  ///< who read the head's own output has seen enough, as in `launch ... | head`
    staging,      ///< a file could not be read here, or not be put on a host
    protocol,     ///< a rank broke the rules by which ranks find each other
    internal,     ///< a resource of this machine failed, or a peer broke the protocol
};

/// An error is a value: what was being done, where, why it failed and what to try.
/// `host` and `rank` are empty / -1 where they do not apply.
struct Error {
    ErrorKind kind = ErrorKind::internal;
    std::string operation;  ///< the stage, as a verb phrase: "connect", "read hostfile"
    std::string host;
    int rank = -1;
    std::string cause;
    std::string hint;
    /// Further errors of the same kind that were found at once: a line each.
    std::vector<Error> others = {};
    /// The host from which `host` was to be started; empty: this machine.
    std::string from = {};

    bool operator==(const Error&) const = default;
};

/// One line: "HOST: OPERATION: CAUSE (HINT)", or "HOST, from HOST: ...". The others are not in it.
std::string describe(const Error& error);

/// The text of an errno of this process; if descriptors ran out, also how many it may have.
std::string errno_text(int errno_value);

/// An Error made of errno; `what` becomes the operation.
Error os_error(std::string what, int errno_value);

/// Either a value or an Error. Test it, then use `*r` or `r.error()`.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() & { return std::get<0>(state_); }
    const T& operator*() const& { return std::get<0>(state_); }
    T&& operator*() && { return std::get<0>(std::move(state_)); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }
    Error& error() { return std::get<1>(state_); }
    const Error& error() const { return std::get<1>(state_); }

  private:
    std::variant<T, Error> state_;
};

struct Ok {};
using Status = Result<Ok>;

}  // namespace launch
