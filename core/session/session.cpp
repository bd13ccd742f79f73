// SPDX-License-Identifier: MIT
#include "core/session/session.hpp"

#include <csignal>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/head/console.hpp"
#include "core/head/job_run.hpp"
#include "core/head/report.hpp"
#include "core/process/removal_list.hpp"
#include "core/session/session_caller.hpp"
#include "core/session/session_ground.hpp"
#include "core/session/session_tree.hpp"

namespace launch {
namespace {

constexpr milliseconds tell_after{1000};
constexpr milliseconds tell_every{500};

/// The holder of a session, from its start to its end.
class Holder {
  public:
    Holder(any_io_executor executor, const Plan& plan, HeadTree& tree,
           const SessionSettings& settings, const HeadOptions& options, Reaper& reaper,
           const SessionEvents& events)
        : executor_(executor),
          plan_(plan),
          session_(executor, plan, tree, {settings.name.text(), settings.idle}),
          socket_(settings.name.socket()),
          console_(own_screen(executor), options.quiet, options.progress),
          reaper_(reaper),
          events_(events),
          signals_(executor, SIGTERM, SIGINT, SIGHUP),
          changed_(executor),
          tasks_(executor) {}

    awaitable<void> run() {
        tasks_.spawn(reaper_.run());
        tasks_.spawn(watch_signals());
        tasks_.spawn(show_progress());
        const auto failures = co_await session_.start();
        judge(failures);
        starts_ = false;
        changed_.notify();
        console_.progress({});
        co_await console_.drain();
        if (outcome_.is_good() && events_.ready(session_.hosts_up())) co_await session_.run();
        co_await session_.finish();
        signals_.cancel();
        reaper_.stop();
        co_await tasks_.join();
    }
    const SessionOutcome& outcome() const { return outcome_; }

  private:
    void judge(const std::vector<FailureMessage>& failures) {
        if (outcome_.signal != 0) return;
        const bool enough =
            failures.empty() || (plan_.spec.allow_missing && session_.hosts_up() > 0);
        if (!enough) {
            outcome_.failures = failures;
            return;
        }
        for (const auto& line : host_failure_lines(failures))
            console_.say(line);
        auto opened = session_.open(socket_);
        if (!opened) outcome_.error = std::move(opened.error());
    }

    awaitable<void> watch_signals() {
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        const int number = co_await signals_.async_wait(token);
        if (ec) co_return;
        if (starts_) outcome_.signal = number;
        session_.stop();
    }

    awaitable<void> show_progress() {
        const auto began = Clock::now();
        auto next = began + tell_after;
        LongStart long_start(began);
        while (starts_) {
            co_await changed_.wait_until(next);
            const auto now = Clock::now();
            if (!starts_ || now < next) continue;
            next = now + tell_every;
            const auto passed = std::chrono::duration_cast<milliseconds>(now - began);
            if (console_.has_progress())
                console_.progress(line({{passed, plan_.start_limit}}));
            else if (long_start.is_due(now, console_.said_at()) && !line({}).empty())
                console_.note("note: " + line({}) + ", " + after(passed) + "; " +
                              start_limits(plan_.spec.policies));
        }
    }

    /// Empty: no host is waited for any more.
    std::string line(std::optional<TimeTaken> time) const {
        const StartingHosts hosts = session_.starting();
        return hosts.waiting.empty() ? "" : starting_line(hosts, time);
    }

    any_io_executor executor_;
    const Plan& plan_;
    SessionHead session_;
    const std::string socket_;
    Console console_;
    Reaper& reaper_;
    const SessionEvents& events_;
    asio::signal_set signals_;
    bool starts_ = true;
    SessionOutcome outcome_;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace

SessionOutcome hold_session(const Plan& plan, const Factories& factories,
                            const HeadOptions& options, const SessionSettings& settings,
                            const Guard& guard, const SessionEvents& events) {
    signal(SIGPIPE, SIG_IGN);
    if (guard.to_remove() != nullptr)
        guard.to_remove()->add_folder(settings.name.folder(), settings.name.stamp());
    asio::io_context io(1);
    Reaper reaper(io.get_executor());
    const auto silent = [](const std::string&, const std::string&) {};
    auto transport = factories.transport(io.get_executor(), plan.spec.transport, reaper, silent,
                                         guard.to_remove());
    if (!transport) return {std::move(transport.error()), {}, 0};
    HeadTree tree(io.get_executor(), plan, **transport, factories, guard, reaper);
    Holder holder(io.get_executor(), plan, tree, settings, options, reaper, events);
    run_to_end(io, holder.run());
    return holder.outcome();
}

JobOutcome run_in_session(Plan plan, const Factories& factories, const HeadOptions& options,
                          const SessionPlace& place, SessionClient client, SessionNodes nodes,
                          const Guard& guard) {
    signal(SIGPIPE, SIG_IGN);
    asio::io_context io(1);
    Reaper reaper(io.get_executor());
    SessionTree tree(
        io.get_executor(),
        {client.state().name, client.state().topology == "hypercube", std::move(nodes)},
        client.take_stream(io.get_executor()));
    SessionCaller caller(io.get_executor(), place, client.state().name);
    SessionGround ground(
        io.get_executor(),
        {[&caller](std::stop_token stop) { return caller.call(std::move(stop)); },
         static_cast<uint32_t>(getpid()), plan.session ? plan.session->choice : SessionChoice{},
         plan.spec.policies, plan.universe_size},
        factories);
    JobRun run(io.get_executor(), plan, tree, ground, own_user_side(io.get_executor()), factories,
               options, guard, reaper);
    run_to_end(io, run.run());
    return run.outcome();
}

}  // namespace launch
