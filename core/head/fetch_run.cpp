// SPDX-License-Identifier: MIT
#include "core/head/fetch_run.hpp"

#include <algorithm>

#include "core/base/counted.hpp"
#include "core/base/list_text.hpp"
#include "core/fetch/send_command.hpp"
#include "core/head/fetch_output.hpp"
#include "core/head/job_message.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/program_index.hpp"

namespace launch {
namespace {

/// At once: each has a file open here, and the folders that it is in.
constexpr size_t most_senders = 32;
/// The senders' number among the spaces of a job; spawned ones count from 1.
constexpr uint32_t senders_space = UINT32_MAX;

/// Where the first rank of a host starts.
const Program& program_on(const Plan& plan, uint32_t host) {
    const uint32_t rank = plan.placement.node(host).front().first;
    const size_t index = program_index(plan.spec.programs, rank);
    return plan.spec.programs[std::min(index, plan.spec.programs.size() - 1)];
}

}  // namespace

/// A sender on each host, whatever slots are free: a program for each says where it goes.
SpawnSpec FetchRun::senders(const FetchSpec& fetched, std::span<const uint32_t> hosts) const {
    SpawnSpec wanted{spec_of_guest(settings_.plan.spec), {}, {}, true};
    JobSpec& spec = wanted.spec;
    spec.job_id += ".fetch";
    spec.wdir = "/";
    spec.limits.soft.clear();
    Policies& policies = spec.policies;
    policies.keep_going = true;
    policies.host_loss = HostLoss::go_on;
    policies.pmi = PmiChoice::none;
    policies.place = {};
    policies.rendezvous = RendezvousChoice::none;
    policies.output = {};
    for (const uint32_t host : hosts) {
        const Program& ranks = program_on(settings_.plan, host);
        Program sender;
        sender.argv = send_command({ranks.wdir.empty() ? settings_.plan.spec.wdir : ranks.wdir,
                                    ranks.wdir.empty(), fetched.remote});
        sender.ranks = 1;
        spec.programs.push_back(std::move(sender));
        wanted.hosts.push_back(settings_.plan.local
                                   ? std::vector<Host>{}
                                   : std::vector<Host>{settings_.plan.hosts[host]});
    }
    return wanted;
}

awaitable<void> FetchRun::run(const FetchSpec& spec, std::span<const uint32_t> hosts) {
    while (!hosts.empty() && !ended_) {
        const auto group = hosts.first(std::min(hosts.size(), most_senders));
        co_await run_group(spec, group);
        hosts = hosts.subspan(group.size());
    }
    interrupted_.insert(interrupted_.end(), hosts.size(), spec.remote);
}

awaitable<void> FetchRun::run_group(const FetchSpec& spec, std::span<const uint32_t> hosts) {
    names_.clear();
    for (const uint32_t host : hosts)
        names_.push_back(settings_.plan.hosts[host].name);
    why_.clear();
    why_all_.clear();
    why_here_.reset();
    trees_ = std::make_shared<FetchedTrees>(spec);
    auto wanted = senders(spec, hosts);
    auto place = co_await settings_.ground.place(std::move(wanted), senders_space);
    if (!place) {
        why_all_ = describe(place.error());
    } else if (!ended_) {
        auto message = job_message(place->plan, settings_.log);
        message.origin = {senders_space, settings_.plan.spec.job_id, 0, {}};
        run_.emplace(executor_, *std::move(place), std::move(message),
                     static_cast<SpawnWatch&>(*this));
        const SpawnedRun::Answer started = [this](const std::vector<uint32_t>&, std::string why) {
            why_all_ = std::move(why);
        };
        co_await run_->run(started);
        run_.reset();
    }
    for (const auto& name : names_)
        judge(spec, name);
    trees_.reset();
}

FetchRun::Failure FetchRun::why_missing(const FetchSpec& spec, const std::string& host,
                                        const FetchedHost& result) const {
    const std::string to_here = spec.remote + " to " + spec.dir;
    if (result.is_here) return {to_here, result.cause, result.hint, true};
    if (!result.cause.empty()) return {spec.remote, result.cause, result.hint};
    if (why_here_) return {to_here, why_here_->cause, why_here_->hint, true};
    if (!why_all_.empty()) return {spec.remote, why_all_, {}};
    const auto why = why_.find(host);
    if (why != why_.end()) return {spec.remote, why->second, {}};
    return {spec.remote, "the host stopped before it had sent all files", {}};
}

void FetchRun::judge(const FetchSpec& spec, const std::string& host) {
    const auto result = trees_->of(host);
    if (result.left_out > 0)
        left_out_["fetch " + spec.remote + ": " + counted(result.left_out, "special file") +
                  " left out (sockets, pipes, devices)"]
            .push_back(host);
    if (ended_ && !result.complete) return interrupted_.push_back(spec.remote);
    if (!result.complete)
        failures_[why_missing(spec, host, result)].push_back(host);
    else if (result.unread > 0)
        failures_[{spec.remote,
                   counted(result.unread, "file") +
                       " could not be read on the host; the first is " + result.first_unread,
                   {}}]
            .push_back(host);
}

void FetchRun::end(milliseconds grace) {
    ended_ = true;
    settings_.ground.end();
    if (run_) run_->end(grace);
}

void FetchRun::rank_failed(uint32_t /*space*/, const RankExit& exit) {
    if (exit.rank >= names_.size()) return;
    why_[names_[exit.rank]] = exit.detail.empty() ? to_string(exit.status) : exit.detail;
}

void FetchRun::host_lost(const FailureMessage& failure) {
    why_[failure.error.host] = failure.error.cause;
}

std::unique_ptr<OutputSink> FetchRun::output_of(const Plan& /*plan*/) {
    return std::make_unique<FetchOutput>(executor_, trees_, names_, [this] {
        if (run_) run_->end(milliseconds{0});
    });
}

/// The disk here does not answer, so that unfinished copies cannot be removed either.
void FetchRun::output_failed(const Error* file_error) {
    if (file_error != nullptr) {
        why_here_ = *file_error;
        why_here_->hint +=
            "; then remove the unfinished files " + std::string(fetch::unfinished) + "* there";
    }
    if (run_) run_->end(milliseconds{0});
}

Error FetchRun::error_of(const Failure& failure, std::vector<std::string> hosts) {
    Error error;
    error.kind = failure.is_here ? ErrorKind::output : ErrorKind::staging;
    error.operation = "fetch " + failure.what;
    error.host = fold_names(std::move(hosts));
    error.cause = failure.cause;
    error.hint = failure.hint;
    return error;
}

std::vector<std::string> FetchRun::failure_lines() const {
    std::vector<std::string> lines;
    for (const auto& [failure, hosts] : failures_)
        lines.push_back(describe(error_of(failure, hosts)));
    return lines;
}

std::optional<std::string> FetchRun::interrupted_line() const {
    if (interrupted_.empty()) return std::nullopt;
    std::map<std::string, size_t> hosts;
    for (const auto& name : interrupted_)
        ++hosts[name];
    std::vector<std::string> parts;
    for (const auto& [name, count] : hosts)
        parts.push_back(name + " of " + counted(count, "host"));
    return "fetch: interrupted before all files had arrived; missing: " + joined(parts, ", ");
}

std::vector<std::string> FetchRun::notes() const {
    std::vector<std::string> lines;
    for (const auto& [text, hosts] : left_out_)
        lines.push_back("note: " + fold_names(hosts) + ": " + text);
    return lines;
}

std::optional<Error> FetchRun::error() const {
    if (failures_.empty()) return std::nullopt;
    return error_of(failures_.begin()->first, failures_.begin()->second);
}

}  // namespace launch
