// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/scripted_rank.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/base/environment.hpp"
#include "tests/unit/core/harness/rank_talk.hpp"
#include "tests/unit/core/harness/scripted_start.hpp"

namespace launch {
namespace {

/// How much input a rank has room for.
constexpr uint64_t pipe_size = 65536;

class ScriptedRank final : public Rank {
  public:
    ScriptedRank(const RankSurroundings& around, Settings settings, RankBook& book, RankHost host)
        : Rank(std::move(settings)),
          output_(around.output),
          demand_(around.input),
          book_(book),
          host_(std::move(host)),
          executor_(around.executor),
          changed_(around.executor) {}

    std::shared_ptr<RankStart> begin_start(SpawnRequest request) override {
        read_job_id(env_value(request.env, "LAUNCH_JOB_ID"));
        if (name_.space > 0 && !book_.scripts.contains(name_))
            book_.scripts[name_] = book_.of_spawned();
        script_ = &book_.scripts[name_];
        life_ = &book_.lives[name_];
        talk_.emplace(
            executor_, request.env, book_.pmix,
            RankTalk::Side{settings_.rank, changed_, host_.cores, [this] { return is_ending(); }});
        staged_at_ = env_value(request.env, "LAUNCH_STAGE_DIR") + "/data";
        size_ = static_cast<uint32_t>(std::atoi(env_value(request.env, "LAUNCH_SIZE").c_str()));
        return start_ = std::make_shared<ScriptedStart>();
    }
    const RankStart* pending_start() const override { return start_.get(); }
    std::optional<NotStarted> started(bool&) override {
        const auto start = std::exchange(start_, nullptr);
        if (start->killed) return NotStarted{{ExitStatus::Kind::signalled, SIGKILL}, {}};
        if (script_->not_started != 0)
            return NotStarted{
                {ExitStatus::Kind::not_started, script_->not_started, ExitStatus::Stage::exec},
                "it cannot be executed"};
        life_->runs = true;
        ++life_->starts;
        life_->began_at = Clock::now();
        life_->node = host_.node;
        look_at_file();
        return std::nullopt;
    }
    void never_started() override {
        start_ = nullptr;
        talk_.reset();
        ended_ = true;
        refuse_input();
    }

    awaitable<ExitStatus> run() override {
        if (settings_.input == InputSource::eager) ask_for_input();
        for (const RankScript::Step& step : script_->steps) {
            if (is_ending()) break;
            if (step.kind == RankScript::Step::Kind::rest) co_await rest(milliseconds{step.count});
            if (step.kind == RankScript::Step::Kind::write) co_await write(step.count);
            if (step.kind == RankScript::Step::Kind::read) co_await read(step.count);
            if (step.kind == RankScript::Step::Kind::spawn) co_await spawn(step.count);
            if (step.kind == RankScript::Step::Kind::fence) co_await fence(step.count);
            if (step.kind == RankScript::Step::Kind::put) co_await put(step.count);
            if (step.kind == RankScript::Step::Kind::barrier) co_await barrier();
            if (step.kind == RankScript::Step::Kind::grow) co_await grow(step.count);
            if (step.kind == RankScript::Step::Kind::release) co_await release(step.count);
            life_->done_at.push_back(Clock::now());
        }
        if (!script_->leaves_rudely) co_await talk_->finalize();
        if (script_->outlives_kill)
            while (!given_up_ && host_.lives())
                co_await changed_.wait_until(Clock::now() + breath);
        else if (is_ending() && !is_killed())
            co_await rest_until_killed(*ends_at_);
        ended_ = true;
        talk_->close();
        life_->runs = false;
        life_->ended_at = Clock::now();
        life_->status =
            is_ending() ? ExitStatus{ExitStatus::Kind::signalled, signal_} : script_->end;
        refuse_input();
        if (given_up_) co_return ExitStatus{ExitStatus::Kind::stuck, 1};
        co_return *life_->status;
    }

    void give_up() override {
        given_up_ = true;
        wake();
    }
    void signal(int number) override {
        life_->signals.push_back({number, Clock::now()});
        const bool asks_to_end = number == SIGINT || number == SIGTERM || number == SIGHUP;
        if (!asks_to_end || !script_->ends_after || is_ending()) return;
        signal_ = number;
        ends_at_ = Clock::now() + *script_->ends_after;
        wake();
    }
    void kill_all() override {
        if (start_) return start_->kill();
        life_->signals.push_back({SIGKILL, Clock::now()});
        killed_ = true;
        signal_ = SIGKILL;
        ends_at_ = Clock::now();
        wake();
    }
    void resize(WindowSize) override {}
    void give_input(std::string bytes) override {
        input_ended_ = input_ended_ || bytes.empty();
        input_ += bytes;
        changed_.notify();
    }
    void abandon_streams() override {
        abandoned_ = true;
        changed_.notify();
    }

    bool ended() const override { return ended_; }
    pid_t pid() const override { return -1; }
    /// It never computes.
    std::optional<RankState> usage() const override {
        if (life_ == nullptr || !life_->runs) return std::nullopt;
        return RankState{.rank = settings_.rank, .state = 'S'};
    }
    RankCost cost(Clock::time_point) const override { return {}; }
    DeadProcess dead() const override { return {}; }
    bool left_processes() const override { return false; }

  private:
    /// "run.2" is of the second spawn, and "job-3.2" of the one of the third job.
    void read_job_id(const std::string& id) {
        const auto number_after = [&id](char mark) {
            const size_t at = id.find(mark);
            return at == std::string::npos ? 0U
                                           : static_cast<uint32_t>(std::stoul(id.substr(at + 1)));
        };
        name_ = {number_after('-'), number_after('.'), settings_.rank};
    }
    /// Whatever it waits for.
    void wake() {
        if (talk_) talk_->stop_waiting();
        changed_.notify();
    }
    bool is_killed() const { return killed_ || !host_.lives(); }
    bool is_ending() {
        if (!ends_at_ && !host_.lives()) kill_all();
        return ends_at_.has_value();
    }

    awaitable<void> rest(milliseconds time) {
        const auto end = Clock::now() + time;
        while (Clock::now() < end && !is_ending())
            co_await changed_.wait_until(std::min(end, Clock::now() + breath));
    }
    awaitable<void> rest_until_killed(Clock::time_point end) {
        while (Clock::now() < end && !is_killed())
            co_await changed_.wait_until(std::min(end, Clock::now() + breath));
    }

    awaitable<void> write(uint32_t lines) {
        for (uint32_t i = 0; i < lines && !is_ending() && !abandoned_; ++i) {
            const std::string line = RankBook::line(name_, ++life_->lines);
            OutputMessage message{settings_.rank, Stream::out, line};
            co_await output_.write(settings_.out, message);
        }
    }

    awaitable<void> read(uint32_t bytes) {
        if (!takes_input()) co_return;  // it reads /dev/null
        ask_for_input();
        while (life_->input.size() < bytes && !is_ending() && !(input_ended_ && input_.empty())) {
            if (input_.empty()) {
                co_await changed_.wait_until(Clock::now() + breath);
                continue;
            }
            const std::string piece = std::exchange(input_, {});
            life_->input += piece;
            demand_.wanted(settings_.rank, piece.size());
        }
        life_->has_all_input = input_ended_ && input_.empty();
    }

    awaitable<void> spawn(uint32_t count) {
        const auto answer = co_await talk_->ask(
            "mcmd=spawn\nnprocs=" + std::to_string(count) +
            "\nexecname=true\ntotspawns=1\nspawnssofar=1\nargcnt=0\npreput_num=0\ninfo_num=0\n"
            "endcmd");
        if (RankTalk::is_done(answer)) life_->spawned += count;
    }

    awaitable<void> grow(NodeIndex host) {
        const auto answer = co_await talk_->ask("cmd=launch_grow hosts=n" + std::to_string(host));
        if (RankTalk::is_done(answer)) life_->grown.push_back(host);
    }

    awaitable<void> release(NodeIndex host) {
        book_.released.insert(host);
        co_await talk_->ask("cmd=launch_release hosts=n" + std::to_string(host));
    }

    awaitable<void> put(uint32_t bytes) {
        const std::string step = std::to_string(life_->done_at.size());
        co_await talk_->put("p" + std::to_string(settings_.rank) + "-" + step,
                            std::string(bytes, 'v'));
    }

    /// False: it has not come through.
    awaitable<bool> barrier() {
        const bool passed = co_await talk_->barrier();
        if (passed) ++life_->fences;
        co_return passed;
    }

    awaitable<void> fence(uint32_t places) {
        const std::string round = "-" + std::to_string(life_->fences);
        const std::string own = std::to_string(settings_.rank);
        const std::string other = std::to_string((settings_.rank + places) % size_);
        co_await talk_->put("c" + own + round, "of" + own + round);
        const bool passed = co_await barrier();
        if (!passed) co_return;
        const auto value = co_await talk_->get("c" + other + round);
        if (!value) co_return;
        life_->lacks_cards = life_->lacks_cards || value->empty();
        if (!value->empty() && value != "of" + other + round)
            life_->wrong_card = "c" + other + round + ": " + *value;
    }

    /// Spawned ranks share the folder of the job on hosts that it has.
    void look_at_file() {
        if (!book_.staged || name_.space > 0) return;
        std::ifstream file(staged_at_, std::ios::binary);
        const std::string found(std::istreambuf_iterator<char>(file), {});
        if (found != *book_.staged)
            life_->wrong_file = staged_at_ + " has " + std::to_string(found.size()) + " bytes";
    }

    void ask_for_input() {
        if (takes_input() && !std::exchange(asked_, true))
            demand_.wanted(settings_.rank, pipe_size);
    }
    void refuse_input() {
        if (takes_input()) demand_.refused(settings_.rank);
    }

    LocalOutput& output_;
    InputMerge& demand_;
    RankBook& book_;
    const RankHost host_;
    RankName name_{settings_.rank};
    const RankScript* script_ = nullptr;
    RankLife* life_ = nullptr;
    std::string staged_at_;
    any_io_executor executor_;
    std::shared_ptr<ScriptedStart> start_;
    std::optional<RankTalk> talk_;
    uint32_t size_ = 0;
    std::string input_;
    bool input_ended_ = false;
    bool asked_ = false;
    bool killed_ = false;
    bool abandoned_ = false;
    bool given_up_ = false;
    bool ended_ = false;
    int signal_ = 0;
    std::optional<Clock::time_point> ends_at_;  ///< because of a signal
    Event changed_;
};

}  // namespace

std::unique_ptr<Rank> make_scripted_rank(const RankSurroundings& around, Rank::Settings settings,
                                         RankBook& book, RankHost host) {
    return std::make_unique<ScriptedRank>(around, std::move(settings), book, std::move(host));
}

}  // namespace launch
