// SPDX-License-Identifier: MIT
// Whole jobs with accidents: whatever happens, a job ends, with the output, the message and the
// exit code that users are promised.

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>

#include "core/stage/segments.hpp"
#include "tests/unit/core/harness/chance.hpp"
#include "tests/unit/core/harness/env_number.hpp"
#include "tests/unit/core/harness/event_log.hpp"
#include "tests/unit/core/harness/job_promises.hpp"
#include "tests/unit/core/harness/play_seeds.hpp"
#include "tests/unit/core/harness/played_file.hpp"
#include "tests/unit/core/harness/sshds.hpp"

namespace launch {
namespace {

/// From the last accident to the end, where ranks do no more.
constexpr uint32_t most_ms_to_end = 20'000;
/// After an interrupt ranks have so long to end as they like.
constexpr uint32_t interrupt_ms = 30 * 60'000;

/// A job and what happens to it, all by the seed.
class RandomJob : Chance {
  public:
    enum class Kind : uint8_t { plain, brief, stranded, linked, aimed };
    RandomJob(uint32_t seed, const EventLog* log)
        : RandomJob(seed, log, static_cast<Kind>(Chance(~seed).draw(5)), Extent::whole) {}
    /// A kept seed has the faults that there were when it was kept: others make another world.
    enum class Extent : uint8_t { as_once, with_sshds_and_hang, whole = with_sshds_and_hang };
    RandomJob(uint32_t seed, const EventLog* log, Kind kind, Extent extent = Extent::as_once)
        : Chance(seed),
          seed_(seed),
          kind_of_accidents_(kind),
          extent_(extent),
          world_(some_spec(), seed,
                 theme_ == Theme::little_room ? Chance(~seed).little_room() : Bounds()),
          log_(log) {
        world_.network.logins_at_once = sshds_.logins_at_once();
        world_.network.quality = [this] { return some_quality(kind_); };
        for (uint32_t rank = 0; rank < world_.plan().placement.ranks(); ++rank)
            world_.ranks.scripts[rank] = some_script();
        world_.ranks.of_spawned = [this] { return some_script(); };
        if (file_) world_.ranks.staged = file_->content();
        let_in();
        if (kind_of_accidents_ == Kind::linked)
            world_.network.call_takes = [this] { return milliseconds{draw(300)}; };
        accidents_.all_up = [this] { return world_.tree().hosts().all_known(); };
        if (log != nullptr) log->follow(world_.network);
    }

    void only(Steps steps) { accidents_.only(std::move(steps)); }
    PlayedRun play() {
        world_.start();
        for (uint32_t count = draw(one_of(4) ? 30 : 6); count > 0; --count)
            accidents_.later(eventful_ms_, [this] { strike(some_host()); });
        accidents_.act = [this] { act(); };
        if (is_aimed()) aim();
        if (theme_ == Theme::long_drain)
            accidents_.later(eventful_ms_, [this] { read_slowly(draw(600'000)); });
        for (uint32_t count = draw(3); count > 0; --count)
            accidents_.later(eventful_ms_, [this] { act(); });
        world_.after(milliseconds{eventful_ms_}, [this] {
            accidents_.end();
            world_.user.type("", true);
        });
        const bool ended = world_.run_to_end();
        const Ordeal ordeal{accidents_, typed_, unwilling_,
                            SimulatedTime::beginning + milliseconds{eventful_ms_},
                            milliseconds{longest_ms_}};
        const std::string fault = ended ? broken_promise(world_, ordeal) : "does not end";
        return {world_.simulation.fingerprint(), fault.empty() ? fault : fault + "; " + story(),
                ended, accidents_.count()};
    }

  private:
    JobSpec some_spec() {
        // One by one: compilers differ in which argument of a call they evaluate first.
        const NodeIndex hosts = 1 + draw(10);
        const uint32_t ppn = 1 + draw(3);
        const NodeIndex spares = theme_ == Theme::spares ? draw(hosts) : 0;
        JobSpec spec = JobWorld::spec(hosts, ppn, some_tree());
        for (Host& host : spec.hosts)
            host.slots += draw(3);
        if (one_of(is_aimed() ? 2 : 5)) spec.routing = some_tree();
        spec.policies.liveness = milliseconds{one_of(2) ? 400 : 4000};
        if (one_of(3)) spec.policies.host_loss = HostLoss::go_on;
        spec.policies.keep_going = one_of(6);
        spec.policies.start_early = one_of(6);
        spec.allow_missing = one_of(5);
        if (kind_of_accidents_ == Kind::linked) spec.policies.links.choice = LinkChoice::direct;
        spec.policies.connect_timeout = milliseconds{2000};
        spec.policies.start_timeout = milliseconds{4000};
        if (one_of(10)) spec.timeout = milliseconds{1 + draw(5000)};
        if (one_of(4)) spec.policies.stdin_target.kind = StdinTarget::Kind::all;
        const size_t most_bytes = kind_ == in_pieces ? Segments::size / 4 : 4 * Segments::size;
        if (one_of(8)) spec.stage = file_.emplace(draw(most_bytes)).spec();
        if (theme_ == Theme::peers) {
            spec.policies.pmi = PmiChoice::pmix;
            constexpr ModexChoice ways[] = {ModexChoice::ring, ModexChoice::bruck,
                                            ModexChoice::doubling, ModexChoice::automatic};
            spec.policies.modex = ways[draw(std::size(ways))];
        }
        spec.hang = some_hang();
        // Processes that are spawned have these to themselves.
        spec.spares = spares;
        spec.programs.front().ranks -= spares * ppn;
        if (spares > 0) spec.policies.host_loss = HostLoss::go_on;
        return spec;
    }

    RankScript some_script() {
        RankScript script;
        uint32_t rests_ms = 0;
        for (uint32_t steps = draw(6); steps > 0; --steps) {
            const auto kind = static_cast<RankScript::Step::Kind>(draw(12) / 5);  // reads are few
            const bool rests = kind == RankScript::Step::Kind::rest;
            script.steps.push_back({kind, draw(rests ? 2500 : lines_at_most())});
            if (one_of(spawns_ ? 8 : 60))
                script.steps.push_back({RankScript::Step::Kind::spawn, 1 + draw(4)});
            if (one_of(grows_ ? 8 : 1000)) script.steps.push_back(some_change());
            if (rests) rests_ms += script.steps.back().count;
        }
        // In a fence ranks wait for one another; those that are spawned begin late.
        longest_ms_ = fences_ > 0 || spawns_ ? longest_ms_ + rests_ms
                                             : std::max(longest_ms_, rests_ms + most_ms_to_end);
        for (uint32_t i = 0; i < fences_; ++i) {
            const auto at = static_cast<std::ptrdiff_t>(draw(script.steps.size() + 1));
            script.steps.insert(script.steps.begin() + at,
                                {RankScript::Step::Kind::fence, draw(40)});
            if (theme_ == Theme::peers)
                script.steps.insert(script.steps.begin() + at,
                                    {RankScript::Step::Kind::put, draw(most_card())});
        }
        script.leaves_rudely = fences_ > 0 && one_of(100);
        if (one_of(40)) script.end = {ExitStatus::Kind::exited, static_cast<int>(1 + draw(60))};
        if (one_of(80)) script.end = {ExitStatus::Kind::signalled, SIGSEGV};
        if (is_aimed() && one_of(40)) script.end = {ExitStatus::Kind::signalled, SIGKILL};
        if (one_of(160)) script.not_started = ENOENT;
        if (one_of(5)) script.ends_after = milliseconds{draw(8000)};
        if (one_of(20)) script.ends_after.reset();
        return script;
    }

    /// This job has more of one thing than others have.
    enum class Theme : uint8_t { none, little_room, spares, long_drain, peers };
    Theme some_theme() const {
        constexpr Theme themes[] = {Theme::little_room, Theme::none,  Theme::long_drain,
                                    Theme::little_room, Theme::peers, Theme::spares};
        return themes[seed_ % std::size(themes)];
    }
    bool is_aimed() const { return kind_of_accidents_ == Kind::aimed; }
    bool has_all() const { return is_aimed() && extent_ == Extent::whole; }
    /// Ranks rest for so long now and then.
    milliseconds some_hang() const {
        Chance chance(seed_ / 2);
        return milliseconds{has_all() && chance.one_of(6) ? 1000 + chance.draw(3000) : 0};
    }
    uint32_t lines_at_most() {
        if (!is_aimed() || theme_ == Theme::little_room) return usual_lines;
        return most_lines(kind_, theme_ == Theme::long_drain ? 4 : 40);
    }

    /// Bytes of what a rank contributes to a fence of PMIx. Some are more than one message has.
    uint32_t most_card() { return kind_ != in_pieces && one_of(8) ? 300'000 : 100; }

    /// The subject of some themes begins when all hosts are up: accidents come later then.
    void aim() {
        const uint32_t count = 1 + draw(10);
        std::set<FrameType> also;
        if (theme_ == Theme::peers) also = {FrameType::peer};
        if (theme_ == Theme::spares) also = {FrameType::spawned, FrameType::exits};
        if (also.empty()) return accidents_.aim(count);
        world_.after(milliseconds{draw(std::min(1500U, eventful_ms_))},
                     [this, count, also] { accidents_.aim(count, also); });
    }

    void strike(NodeIndex host) {
        // The last word of a relay can be lost with a link, and nobody waits there to repeat it.
        if (kind_of_accidents_ == Kind::brief)
            return world_.ranks.some_run() ? accidents_.strike_briefly(host) : void();
        if (kind_of_accidents_ == Kind::stranded && one_of(3)) return accidents_.strand(host);
        accidents_.strike(host);
    }

    /// A host comes or goes.
    RankScript::Step some_change() {
        const bool comes = draw(3) > 0;
        const NodeIndex host = some_host();
        return {comes ? RankScript::Step::Kind::grow : RankScript::Step::Kind::release, host};
    }
    /// A host of the job, or one that may join it.
    NodeIndex some_host() { return 1 + draw(world_.plan().hosts.size() + (grows_ ? 4 : 0)); }

    /// Hosts answer at once or slowly; one may let nobody in.
    void let_in() {
        unwilling_ = one_of(6);
        const NodeIndex node = unwilling_ ? some_host() : 0;
        const auto how = one_of(2) ? Login::Answer::refuses : Login::Answer::none;
        const uint32_t slowest = one_of(2) ? 1 : 700;
        world_.network.login = [this, node, how, slowest](NodeIndex asked) {
            const Login login{asked == node ? how : Login::Answer::accepts,
                              milliseconds{draw(slowest)}};
            return sshds_.answer(asked, login);
        };
    }

    /// The user does something.
    void act() {
        if (world_.is_over()) return;
        const uint32_t what = draw(6);
        if (what == 0) return signal(SIGINT);
        if (what == 1) return signal(SIGTERM);
        if (what == 2) return rest();
        if (typed_all_) return;
        std::string text;
        for (uint32_t count = draw(30); count > 0; --count)
            text += std::to_string(typed_.size() + text.size()) + " ";
        typed_all_ = what == 3;
        typed_ += text;
        world_.user.type(text, typed_all_);
    }
    /// The reader of the output rests, or reads slowly.
    void rest() {
        const uint32_t time = draw(is_aimed() && one_of(3) ? 60'000 : 6000);
        if (is_aimed() && one_of(2)) return read_slowly(time);
        longest_ms_ += is_aimed() ? time : 0;
        accidents_.note("the reader rests for", time);
        world_.user.rest(milliseconds{time});
    }
    void read_slowly(uint32_t time) {
        longest_ms_ += time;
        accidents_.note("the reader is slow for", time);
        world_.user.read_slowly(1 + draw(1000), milliseconds{time});
    }
    void signal(int number) {
        accidents_.note("signal", static_cast<size_t>(number));
        if (number == SIGINT) longest_ms_ += interrupt_ms;
        world_.user.send(number);
    }

    std::string story() const {
        std::string story = accidents_.log() + "\nexit code " + std::to_string(world_.exit_code()) +
                            "\n" + world_.user.err();
        for (const auto& [rank, life] : world_.ranks.lives)
            if (life.runs)
                story += "rank " + rank.text() + " on n" + std::to_string(life.node) +
                         " runs, through " + std::to_string(life.fences) + " fences\n";
        return story;
    }

    const uint32_t seed_;
    const Kind kind_of_accidents_;
    const Extent extent_;
    const Theme theme_ = is_aimed() ? some_theme() : Theme::none;
    Sshds sshds_ = has_all() ? Sshds(seed_) : Sshds(seed_, Sshds::Are::quiet);
    const uint32_t kind_ = draw(network_kinds);
    const uint32_t fences_ =
        (one_of(2) ? 0 : draw(5)) + (theme_ == Theme::peers ? 2 : 0);  ///< of each rank
    const bool grows_ = one_of(4);                                     ///< hosts come and go
    const bool spawns_ =
        is_aimed() && (one_of(10) || theme_ == Theme::spares);  ///< more than others do
    const uint32_t eventful_ms_ = 300u << draw(6);  ///< accidents happen within this time
    std::optional<PlayedFile> file_;                ///< that is staged
    JobWorld world_;
    const EventLog* const log_;
    Accidents accidents_{world_.network, [this](size_t limit) { return draw(limit); }, log_};
    std::string typed_;
    uint32_t longest_ms_ = eventful_ms_ + most_ms_to_end;  ///< within which it must end
    bool unwilling_ = false;
    bool typed_all_ = false;
};

/// LAUNCH_RANDOM_JOB names the one that is to be replayed. Otherwise LAUNCH_RANDOM_JOBS says how
/// many there are, from seed LAUNCH_RANDOM_JOBS_FROM; of them one in LAUNCH_ONE_RANDOM_JOB_OF is
/// played, and one of a hundred of these twice.
TEST(RandomJobs, end_as_their_users_are_promised) {
    Seeds{"LAUNCH_RANDOM_JOB", 300, share_of_seeds(), 100}.play<RandomJob>();
}

/// Each found a fault: a fence waited for the ranks of a host that was lost elsewhere; a node was
/// believed below another that had handed it over to one that was lost; output was lost with a link
/// at the very end; and a node was believed below the dead one that had passed on its last report.
TEST(RandomJobs, that_went_wrong_once_end_well_now) {
    for (const uint32_t seed : {301140U, 306336U, 5262U, 5921U})
        EXPECT_EQ(fault_of<RandomJob>(seed, nullptr, RandomJob::Kind::plain), "") << seed;
    EXPECT_EQ(fault_of<RandomJob>(4693U, nullptr, RandomJob::Kind::aimed), "")
        << "an answer was lost that had a node count anew";
    EXPECT_EQ(fault_of<RandomJob>(4924U, nullptr, RandomJob::Kind::aimed), "")
        << "links between peers were opened as the job had ended";
}

}  // namespace
}  // namespace launch
