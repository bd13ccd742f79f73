// SPDX-License-Identifier: MIT
#include "core/tree/relay_start.hpp"

#include <array>

#include "core/base/seconds.hpp"
#include "core/push/push_error.hpp"
#include "core/tree/relay_request.hpp"
#include "core/tree/said_text.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

/// A shell's words for "no such command" and "not executable", for the relay's own executable.
constexpr int shell_not_found = 127;
constexpr int shell_not_allowed = 126;

Error start_error(std::string cause, std::string hint = {}) {
    return {ErrorKind::unreachable, "start launch there", {}, -1,
            std::move(cause),       std::move(hint)};
}

/// We lose patience first, and know why.
std::chrono::seconds piece_limit(const TreePolicies& policies) {
    return 2 * std::chrono::ceil<std::chrono::seconds>(policies.start_timeout);
}

}  // namespace

awaitable<Result<RelayStart::Link>> RelayStart::run() {
    const TreePolicies& policies = context_.policies;
    context_.clock->enter(StartStage::queued);
    if (policies.push == PushChoice::never) co_return co_await run_what_is_there();
    StartRequest request = relay_request(host_, context_.launch, policies);
    script_only_ = policies.push == PushChoice::always;
    auto link = co_await attempt(std::move(request));
    // The host has another build, or a file that is not launch at all.
    const bool unusable = other_build_ || (code_ && !taken_);
    if (link || !unusable || policies.push == PushChoice::always || context_.stop.stop_requested())
        co_return link;
    replaced_ = other_build_;
    Error first = std::move(link.error());
    const std::string first_ending = std::move(ending_);
    request = pushed_relay_request(host_, policies);
    script_only_ = true;
    link = co_await attempt(std::move(request));
    // A login shell that ends every command fails in the same way both times.
    if (!link && (ending_.empty() || ending_ != first_ending))
        link.error().cause +=
            "; launch had to be sent, because the one on the host cannot be used: " + first.cause;
    co_return link;
}

awaitable<Result<RelayStart::Link>> RelayStart::run_what_is_there() {
    const TreePolicies& policies = context_.policies;
    StartRequest request = relay_request(host_, context_.launch, policies);
    auto link = co_await attempt(std::move(request));
    if (link || (code_ != shell_not_found && code_ != shell_not_allowed)) co_return link;
    // Not where the head has it: perhaps where this host's user has it.
    Error first = std::move(link.error());
    request = relay_request(host_, {"launch", {}}, policies);
    link = co_await attempt(std::move(request));
    if (!link && code_ == shell_not_found) co_return first;
    co_return link;
}

struct RelayStart::Attempt {
    Attempt(const StartContext& context, ByteStream& started)
        : stream(started),
          watch(context.executor, stream, context.policies.start_timeout, context.stop) {}

    ByteStream& stream;
    StreamWatch watch;
    Opening opening;
    std::optional<Push> push;
};

awaitable<Result<RelayStart::Link>> RelayStart::attempt(StartRequest request) {
    taken_.reset();
    code_.reset();
    other_build_ = false;
    ending_.clear();
    request.stop = context_.stop;
    request.clock = context_.clock;
    auto stream = co_await context_.transport.start(std::move(request));
    if (!stream) co_return std::move(stream.error());
    context_.clock->enter(StartStage::hello);
    Attempt at(context_, **stream);
    auto failure = co_await open(at);
    if (at.push) {
        taken_ = at.push->taken();
        pushed_bytes_ += at.push->sent();
    }
    auto link =
        std::make_unique<FramedLink>(context_.executor, std::move(*stream), at.opening.take());
    if (!failure) failure = co_await greet(*link, at.watch);
    if (!failure) {
        context_.clock->enter(StartStage::greeted);
        co_return link;
    }
    if (failure->cause.empty()) {
        code_ = link->stream().exit_code();
        ending_ = ending(*link);
        *failure = no_hello_error(*link);
    }
    failure->host = host_.name;
    failure->kind = ErrorKind::unreachable;
    link->close();
    co_return std::move(*failure);
}

/// Reads up to the greeting, or to the end of the stream, and sends the executable if the host asks
/// for it. greet() handles the rest of the stream.
awaitable<std::optional<Error>> RelayStart::open(Attempt& at) {
    using State = Opening::State;
    std::array<char, 1024> buffer;
    for (;;) {
        const size_t n = co_await at.stream.read_some(buffer);
        if (n == 0) co_return std::nullopt;
        auto state = at.opening.feed({buffer.data(), n});
        // The last piece's line and the greeting may come at once.
        for (; state == State::asks || state == State::has; state = at.opening.feed({})) {
            auto failure = co_await answer(at, state);
            if (failure) co_return failure;
        }
        if (state == State::fails)
            co_return push_error::from_script(last_lines(at.opening.words(), 300), image_size());
        if (state != State::waiting) co_return std::nullopt;
    }
}

/// An end of the stream is no failure yet: why it ended is still to be read.
awaitable<std::optional<Error>> RelayStart::answer(Attempt& at, Opening::State state) {
    Status sent = Ok{};
    if (state == Opening::State::asks && !at.push) {
        auto failure = prepare_push(at.opening.words());
        if (failure) co_return failure;
        context_.clock->enter(StartStage::push);
        at.push.emplace(at.stream, *context_.image, at.watch);
        sent = co_await at.push->begin(piece_limit(context_.policies));
    } else if (state == Opening::State::has && at.push) {
        sent = co_await at.push->go_on(at.opening.words());
    }
    if (!sent) co_return push_error::unreadable(std::move(sent.error()));
    co_return std::nullopt;
}

std::optional<Error> RelayStart::prepare_push(const std::string& machine) {
    const std::string own = own_machine();
    if (machine != own) return push_error::other_machine(last_lines(machine, 40), own);
    if (context_.image) return std::nullopt;
    auto image = Image::open();
    if (!image) return push_error::unreadable(std::move(image.error()));
    context_.image.emplace(std::move(*image));
    return std::nullopt;
}

/// Nothing when the child greeted as it should. An Error without a cause: its stream ended.
awaitable<std::optional<Error>> RelayStart::greet(FramedLink& link, const StreamWatch& watch) {
    auto frame = co_await link.receive();
    if (watch.timed_out()) co_return timed_out_error();
    if (!frame)
        co_return start_error(
            frame.error().cause + ": \"" + last_lines(link.parser().noise(), 120) + "\"",
            "the start-up files of the shell should print nothing without a terminal");
    if (!frame->has_value()) co_return Error{};
    const auto hello = Hello::decode((*frame)->payload);
    if ((*frame)->type != FrameType::hello || !hello)
        co_return start_error("the program that answers there is not launch");
    if (hello->version != Hello::current_version || hello->build_id != context_.build_id) {
        other_build_ = true;
        co_return start_error(
            "the host has another build of launch (" + hello->build_id.substr(0, 12) + ", here " +
                context_.build_id.substr(0, 12) + ")",
            "copy this executable to the same path there, or leave out --push never");
    }
    // The end of the job may have closed the link since the greeting came: that is no loss.
    if (context_.stop.stop_requested()) co_return Error{};
    co_return std::nullopt;
}

Error RelayStart::timed_out_error() const {
    const auto limit = context_.policies.start_timeout;
    if (!taken_)
        return start_error("launch did not answer within " + in_seconds(limit),
                           "does a shell profile there wait for input, or is another program there "
                           "named launch?");
    if (*taken_ < image_size()) return push_error::stands_still(*taken_, image_size(), limit);
    return push_error::no_greeting(limit);
}

Error RelayStart::no_hello_error(const FramedLink& link) const {
    const std::string said = last_lines(link.stream().error_text(), 200);
    if (taken_) return push_error::broken_off(*taken_, image_size(), said);
    const std::string& path = context_.launch.path;
    const bool asked = context_.policies.push == PushChoice::never;
    if (asked && code_ == shell_not_found)
        return start_error(
            "launch is neither at " + path + " nor in PATH",
            "copy this executable to the same path there, or leave out --push never");
    if (asked && code_ == shell_not_allowed && said.find(others_may_write) != said.npos)
        return start_error(path + ": " + std::string(others_may_write),
                           "chmod go-w there, or leave out --push never");
    if (asked && code_ == shell_not_allowed)
        return start_error("no permission to execute " + path,
                           "chmod +x it; or is its file system mounted noexec?");
    if (script_only_ && code_)
        return start_error("the login shell ended without running the command" + ending_,
                           "is it nologin, or does one of its start-up files call exit? try: " +
                               context_.transport.by_hand({"true"}));
    return start_error(
        "launch ended before it answered" + ending_,
        "does the login shell there exit? try: " + context_.transport.by_hand({path, "--version"}));
}

/// ", exit code 1: WORDS; it printed ...", as much of it as is known.
std::string RelayStart::ending(const FramedLink& link) const {
    std::string text;
    if (code_) text += ", exit code " + std::to_string(*code_);
    const std::string said = last_lines(link.stream().error_text(), 200);
    if (!said.empty()) text += ": " + said;
    const std::string noise = last_lines(link.parser().noise(), 120);
    if (!noise.empty()) text += "; it printed \"" + noise + "\"";
    return text;
}

}  // namespace launch
