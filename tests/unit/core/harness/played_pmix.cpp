// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/played_pmix.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/environment.hpp"

namespace launch {
namespace {

constexpr const char* variable = "PLAYED_PMIX";

}  // namespace

/// The part of one job at one node. The requests of its ranks reach launch on the executor, as from
/// libpmix's own thread.
class PlayedPmixServer final : public PmixServer {
  public:
    using Answered = std::function<void(std::string all)>;

    PlayedPmixServer(PlayedPmix& pmix, any_io_executor executor, const PmixJob& job,
                     PmixEvents& events)
        : pmix_(pmix),
          number_(++pmix.last_),
          executor_(std::move(executor)),
          events_(std::make_shared<PmixEvents*>(&events)) {
        pmix_.servers_[number_] = this;
        for_each_rank(job.ranks[job.node], [this](uint32_t rank) { awaited_.insert(rank); });
    }
    ~PlayedPmixServer() override { close(); }
    PlayedPmixServer(const PlayedPmixServer&) = delete;
    PlayedPmixServer& operator=(const PlayedPmixServer&) = delete;

    void join(uint32_t rank) {
        tell([rank](PmixEvents& events) { events.pmix_joined(rank); });
    }
    void fence(uint32_t rank, std::string data, Answered answered) {
        come_[rank] = {std::move(data), std::move(answered)};
        pass_on();
    }
    void finalize(uint32_t rank, Answered answered) {
        awaited_.erase(rank);
        tell([rank, answered = std::move(answered)](PmixEvents& events) {
            events.pmix_finalized(rank);
            answered({});
        });
        pass_on();
    }
    /// Its connection has ended.
    void leave(uint32_t rank) {
        awaited_.erase(rank);
        pass_on();
    }

    Status rank_env(uint32_t, std::vector<std::string>& env) override {
        set_env(env, variable, std::to_string(number_));
        return Ok{};
    }
    void stop_waiting_for(uint32_t rank) override { leave(rank); }
    std::function<void()> end() override {
        close();
        return [] {};
    }
    void remove_files() override {}

    // Ranks of a simulation ask for nothing of this.
    Status meet(const PmixJob&) override { return Ok{}; }
    void part(const std::string&) override {}
    void leave_out_own_settings(std::vector<std::string>&) const override {}
    void fetch_local(uint32_t, PmixEvents::Done) override {}
    void give_up_fetches(uint32_t) override {}
    void notify_died(uint32_t) override {}
    bool serves_tools() const override { return false; }
    void pass_output(uint32_t, bool, std::string_view) const override {}
    void tell_event(const std::string&) override {}

  private:
    struct Contribution {
        std::string data;
        Answered answered;
    };

    template <class Say>
    void tell(Say say) {
        asio::post(executor_, [events = events_, say = std::move(say)] {
            if (*events != nullptr) say(**events);
        });
    }

    /// A rank that has contributed, and died since, is not waited for.
    void pass_on() {
        const auto has_come = [this](uint32_t rank) { return come_.contains(rank); };
        if (come_.empty() || !std::all_of(awaited_.begin(), awaited_.end(), has_come)) return;
        std::string data;
        std::vector<Answered> waiting;
        for (auto& [rank, contribution] : std::exchange(come_, {})) {
            data += contribution.data;
            waiting.push_back(std::move(contribution.answered));
        }
        tell([data = std::move(data), waiting = std::move(waiting)](PmixEvents& events) {
            events.pmix_fence({}, data, true, [waiting](const Result<std::string>& all) {
                for (const Answered& answered : waiting)
                    if (all) answered(*all);
            });
        });
    }

    void close() {
        *events_ = nullptr;
        pmix_.servers_.erase(number_);
    }

    PlayedPmix& pmix_;
    const uint32_t number_;
    any_io_executor executor_;
    const std::shared_ptr<PmixEvents*> events_;  ///< null: it is closed
    std::set<uint32_t> awaited_;                 ///< ranks without which no fence goes on
    std::map<uint32_t, Contribution> come_;      ///< by rank
};

PmixLibrary PlayedPmix::library() {
    PmixLibrary library;
    library.set_up_environment = [](const std::string&) {};
    // So none is looked for on this machine.
    library.kept_folder = [] { return std::string("/played"); };
    library.start = [this](any_io_executor executor, const PmixJob& job, PmixEvents& events) {
        return Result<std::unique_ptr<PmixServer>>(
            std::make_unique<PlayedPmixServer>(*this, std::move(executor), job, events));
    };
    return library;
}

PlayedPmixServer* PlayedPmix::server(uint32_t number) const {
    const auto at = servers_.find(number);
    return at == servers_.end() ? nullptr : at->second;
}

PmixTalk::PmixTalk(PlayedPmix& pmix, const std::vector<std::string>& env, uint32_t rank,
                   Event& changed)
    : pmix_(pmix), rank_(rank), changed_(changed) {
    const std::string number = env_value(env, variable);
    if (!number.empty()) number_ = static_cast<uint32_t>(std::stoul(number));
}

std::function<void(std::string)> PmixTalk::expect_answer() {
    answer_ = std::make_shared<std::optional<std::string>>();
    return [answer = std::weak_ptr(answer_), this](std::string text) {
        const auto waits = answer.lock();
        if (waits == nullptr) return;
        *waits = std::move(text);
        changed_.notify();
    };
}

void PmixTalk::fence(std::string data) {
    auto answered = expect_answer();
    PlayedPmixServer* const its = server();
    if (its == nullptr) return;
    if (!std::exchange(has_joined_, true)) its->join(rank_);
    its->fence(rank_, std::move(data), std::move(answered));
}

std::optional<std::string> PmixTalk::take_answer() {
    return answer_ ? std::exchange(*answer_, std::nullopt) : std::nullopt;
}

bool PmixTalk::finalize() {
    PlayedPmixServer* const its = server();
    if (!std::exchange(has_joined_, false) || its == nullptr) return false;
    its->finalize(rank_, expect_answer());
    return true;
}

void PmixTalk::close() {
    answer_ = nullptr;
    if (has_joined_ && server() != nullptr) server()->leave(rank_);
    has_joined_ = false;
}

}  // namespace launch
