#include "core/session/session_ground.hpp"

#include <algorithm>

#include "core/base/host_name.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/session/offered_hosts.hpp"
#include "core/session/session_client.hpp"
#include "core/session/session_plan.hpp"
#include "core/session/session_tree.hpp"

namespace launch {
namespace {

/// A session that runs answers in milliseconds; its client gives up in a few seconds.
constexpr milliseconds patience{20'000};

struct Reserved {
    SessionClient client;
    SessionPlan made;
};

/// All that are wanted, and where a program may run anywhere those with room.
std::vector<Host> hosts_for(const std::vector<std::vector<Host>>& wanted,
                            const SessionState& session) {
    std::vector<Host> hosts;
    for (const auto& each : wanted)
        hosts.insert(hosts.end(), each.begin(), each.end());
    if (hosts.empty()) return hosts;
    const bool anywhere =
        std::any_of(wanted.begin(), wanted.end(), [](const auto& each) { return each.empty(); });
    for (const auto& host : session.hosts)
        if (anywhere && host.up && host.used < host.host.slots) hosts.push_back(host.host);
    return merge_hosts(std::move(hosts));
}

Result<SessionPlan> plan_for(SpawnSpec wanted, bool shares, const SessionState& session,
                             const Factories& factories) {
    wanted.spec.hosts = hosts_for(wanted.hosts, session);
    if (!wanted.spec.hosts.empty()) {
        auto choices = spawn_choices(wanted.hosts, wanted.spec.hosts,
                                     session.is_here ? host_name() : std::string());
        if (!choices) return std::move(choices.error());
        wanted.spec.choices = *std::move(choices);
    }
    return plan_in_session(std::move(wanted.spec), shares, session, factories);
}

/// Slots that were free a moment ago may have been taken: once more, by what is free now.
Result<Reserved> reserve(const SpawnSpec& wanted, const SessionGround::Settings& settings,
                         const Factories& factories) {
    for (bool again = false;; again = true) {
        auto client = SessionClient::connect(settings.place, settings.session);
        if (!client) return std::move(client.error());
        auto made = plan_for(wanted, settings.shares, client->state(), factories);
        if (!made) return std::move(made.error());
        const auto answer =
            client->ask(ReserveRequest{made->nodes.parts(made->plan.placement), settings.shares});
        if (!answer) return answer.error();
        if (answer->kind == SessionAnswer::Kind::done)
            return Reserved{*std::move(client), *std::move(made)};
        if (again) return no_room(client->state());
    }
}

}  // namespace

SessionGround::SessionGround(any_io_executor executor, Settings settings,
                             const Factories& factories)
    : executor_(executor),
      settings_(std::move(settings)),
      factories_(factories),
      pool_(std::move(executor), 4) {}

awaitable<Result<SpawnGround::Place>> SessionGround::place(SpawnSpec wanted, uint32_t space) {
    const auto made = std::make_shared<std::optional<Result<Reserved>>>();
    // It may outlive this: it has all that it touches.
    std::function<void()> work = [made, wanted = std::move(wanted), settings = settings_,
                                  factories = factories_] {
        made->emplace(reserve(wanted, settings, factories));
    };
    const bool done = co_await pool_.run(std::move(work), patience, {});
    if (!done)
        co_return Error{ErrorKind::unreachable,
                        "spawn",
                        {},
                        -1,
                        "session " + settings_.session + " does not answer",
                        {}};
    if (!**made) co_return std::move((**made).error());
    Reserved& got = ***made;
    Place place;
    place.plan = std::move(got.made.plan);
    place.plan.space = space;
    const SessionState& state = got.client.state();
    SessionTree::Settings tree{state.name, state.topology == "hypercube",
                               std::move(got.made.nodes)};
    place.tree =
        std::make_unique<SessionTree>(executor_, std::move(tree), got.client.take_socket());
    co_return place;
}

}  // namespace launch
