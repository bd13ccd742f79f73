// How a child is started: through the transport, greeted, given its part.

#include "core/base/seconds.hpp"
#include "core/node/child.hpp"
#include "core/node/relay_request.hpp"
#include "core/node/said_text.hpp"

namespace launch {
namespace {

/// A shell's words for "no such command" and "not executable", for the relay's own executable.
constexpr int shell_not_found = 127;
constexpr int shell_not_allowed = 126;

}  // namespace

awaitable<Result<std::unique_ptr<FramedLink>>> Child::connect(const Host& host) {
    int code = 0;
    auto link = co_await start_with(host, context_.job.launch_path, code);
    if (link || (code != shell_not_found && code != shell_not_allowed)) co_return link;
    // Not where the head has it: perhaps where this host's user has it.
    Error first = std::move(link.error());
    link = co_await start_with(host, "launch", code);
    if (!link && code == shell_not_found) co_return first;
    co_return link;
}

awaitable<Result<std::unique_ptr<FramedLink>>> Child::start_with(const Host& host,
                                                                 const std::string& path,
                                                                 int& code) {
    StartRequest request = relay_request(host, path, context_.job.policies);
    request.stop = context_.stop;
    auto stream = co_await context_.transport.start(std::move(request));
    if (!stream) co_return std::move(stream.error());
    auto link = std::make_unique<FramedLink>(context_.executor, std::move(*stream));
    auto failure = co_await greet(*link);
    if (!failure) co_return link;
    code = link->stream().exit_code().value_or(0);
    if (failure->cause.empty()) *failure = no_hello_error(host, *link);
    failure->host = host.name;
    failure->kind = ErrorKind::unreachable;
    link->close();
    co_return std::move(*failure);
}

/// Nothing when the child greeted as it should. An Error without a cause: its stream ended.
awaitable<std::optional<Error>> Child::greet(FramedLink& link) {
    bool timed_out = false;
    asio::steady_timer deadline(context_.executor, context_.job.policies.start_timeout);
    deadline.async_wait([&](std::error_code ec) {
        timed_out = !ec;
        if (timed_out) link.close();
    });
    std::stop_callback give_up(context_.stop, [&] { link.close(); });
    auto frame = co_await link.receive();
    deadline.cancel();
    // The timer's handler uses this frame's variables: let it run before they go.
    co_await asio::post(context_.executor, asio::use_awaitable);
    Error error;
    error.operation = "start launch there";
    if (timed_out) {
        error.cause = "no greeting within " + in_seconds(context_.job.policies.start_timeout);
        error.hint = "does a shell profile there wait for something?";
        co_return error;
    }
    if (!frame) {
        error.cause = frame.error().cause + ": \"" + last_lines(link.parser().noise(), 120) + "\"";
        error.hint = "make the shell's start-up files silent where no terminal is";
        co_return error;
    }
    if (!frame->has_value()) co_return error;
    const auto hello = Hello::decode((*frame)->payload);
    if ((*frame)->type != FrameType::hello || !hello) {
        error.cause = "its greeting is not that of launch";
        co_return error;
    }
    if (hello->version != Hello::current_version || hello->build_id != context_.build_id) {
        error.cause = "another build of launch is there (" + hello->build_id.substr(0, 12) +
                      ", here " + context_.build_id.substr(0, 12) + ")";
        error.hint = "copy this executable to that host";
        co_return error;
    }
    // The end of the job may have closed the link since the greeting came: that is no loss.
    if (link.closed()) co_return error;
    co_return std::nullopt;
}

Error Child::no_hello_error(const Host& host, const FramedLink& link) const {
    Error error;
    error.operation = "start launch there";
    const auto code = link.stream().exit_code();
    const std::string said = last_lines(link.stream().error_text(), 200);
    const std::string noise = last_lines(link.parser().noise(), 120);
    if (code == shell_not_found) {
        error.cause = "not found: neither " + context_.job.launch_path + " nor launch in PATH";
        error.hint = "copy the executable to the same path on " + host.name;
        return error;
    }
    if (code == shell_not_allowed) {
        error.cause = "no permission to execute " + context_.job.launch_path;
        error.hint = "chmod +x, or a file system mounted noexec?";
        return error;
    }
    error.cause = "it ended before it greeted";
    if (code) error.cause += " with exit code " + std::to_string(*code);
    if (!said.empty()) error.cause += ": " + said;
    if (!noise.empty()) error.cause += "; it printed \"" + noise + "\"";
    error.hint = "try: ssh " + host.name + " " + context_.job.launch_path + " --version";
    return error;
}

void Child::give_part() {
    link_->send(FrameType::job, context_.job_bytes);
    const SubtreeMessage subtree{block_.first, block_.hosts, block_.ranks, context_.contacts};
    link_->send(FrameType::subtree, subtree.encode());
    link_->send(FrameType::credit, encode_number(context_.window));
    kept_.say_again(*link_);
    for (const auto& [type, payload] : std::exchange(late_, {}))
        link_->send(type, payload);
    if (finishing_) link_->send(FrameType::finish, {});
}

void Child::report_failure(Error error) {
    error.kind = ErrorKind::unreachable;
    context_.upstream.failure({block_.first, false, {}, std::move(error)});
}

void Child::notice_noise() {
    const std::string noise = link_->parser().noise();
    if (noise.empty()) return;
    context_.upstream.notice({block_.first, false,
                              "the login shell printed \"" + last_lines(noise, 60) +
                                  "\" before launch started; ignored (make its start-up files "
                                  "silent where no terminal is)"});
}

}  // namespace launch
