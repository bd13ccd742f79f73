// SPDX-License-Identifier: MIT
#include "modex/exchange/root_desk.hpp"

#include <gtest/gtest.h>
#include <memory>

#include "modex/exchange/exchange.hpp"

namespace launch {
namespace {

/// A job of two ranks at the root, 0 there and 1 below; the test plays the node below.
class RootOfJob : private ExchangeSink {
  public:
    RootOfJob(std::shared_ptr<RootDesk> shared, const std::string& name) {
        ExchangeSettings settings{2, {0}, true};
        settings.shared = std::move(shared);
        settings.facts.space = name;
        exchange = std::make_unique<Exchange>(std::move(settings), ModexChoice::automatic,
                                              static_cast<ExchangeSink&>(*this));
        exchange->add_child(1, {{RankRun{1, 1, 1}}});
    }

    void ask(NameAsk message) { exchange->ask_root(std::move(message)); }
    void ask_below(NameAsk message) { exchange->from_child(1, encode(std::move(message))); }
    std::vector<std::string> take_log() { return std::exchange(log, {}); }

    std::unique_ptr<Exchange> exchange;
    std::vector<std::string> log;
    std::vector<uint64_t> wanted;  ///< tickets of RootDesk

  private:
    void to_parent(std::string) override {}
    void to_child(NodeIndex, std::string message) override {
        const auto decoded = decode_exchange(message);
        const auto* const answer = decoded ? std::get_if<NameAnswer>(&*decoded) : nullptr;
        if (answer == nullptr) return;
        log.push_back("below " + std::to_string(answer->ticket) + (answer->ok ? ": " : ": no ") +
                      answer->value);
    }
    void to_peer(uint32_t, std::string) override {}
    void peers_wanted() override {}
    void fence_done(Channel, std::string) override {}
    void group_done(const std::vector<uint32_t>&, const std::string&) override {}
    void event_told(const std::string&) override {}
    void ranks_died(const std::vector<uint32_t>&) override {}
    void answered(uint64_t ticket, bool found, const std::string& value) override {
        log.push_back(std::to_string(ticket) + (found ? ": " : ": no ") + value);
    }
    void blob_wanted(uint32_t) override {}
    void fence_broken(uint32_t, uint32_t) override {}
    void root_wants(uint64_t ticket, uint32_t rank, const std::string& key) override {
        wanted.push_back(ticket);
        log.push_back("wanted: " + std::to_string(rank) + key);
    }
    void root_woke() override { log.emplace_back("woken"); }
};

using Log = std::vector<std::string>;
using Verb = NameAsk::Verb;

class RootDeskTest : public testing::Test {
  protected:
    std::shared_ptr<RootDesk> desk = std::make_shared<RootDesk>();
    RootOfJob a{desk, "a"};
    std::unique_ptr<RootOfJob> b = std::make_unique<RootOfJob>(desk, "b");
};

TEST_F(RootDeskTest, LetsOneJobFindWhatAnotherPublishes) {
    a.ask({Verb::await, 1, "name", {}});
    a.ask_below({Verb::await, 2, "name", {}});
    EXPECT_EQ(a.take_log(), Log{});
    b->ask({Verb::publish, 3, "name", "v"});
    EXPECT_EQ(b->take_log(), Log{"3: "}) << "who asks is not woken";
    EXPECT_EQ(a.take_log(), (Log{"1: v", "woken", "below 2: v", "woken"}));
    b.reset();
    a.ask({Verb::lookup, 4, "name", {}});
    EXPECT_EQ(a.take_log(), Log{"4: no not_found"}) << "it went with its job";
}

TEST_F(RootDeskTest, FetchesWhatARankOfAnotherJobHasPublished) {
    a.ask({Verb::fetch, 1, "b", "1"});
    ASSERT_EQ(b->take_log(), Log{"wanted: 1"});
    b->exchange->root_has(b->wanted.front(), true, "card");
    EXPECT_EQ(a.take_log(), (Log{"1: card", "woken"}));
    a.ask({Verb::fetch, 1, "b", "0 its key"});
    ASSERT_EQ(b->take_log(), Log{"wanted: 0its key"});
    b->exchange->root_has(b->wanted.back(), true, "other");
    EXPECT_EQ(a.take_log(), (Log{"1: other", "woken"}));
    for (const char* rank : {"2", "-1", "x", "", " k"}) {
        a.ask({Verb::fetch, 2, "b", rank});
        EXPECT_EQ(a.take_log(), Log{"2: no no_such_job"}) << rank;
    }
    a.ask({Verb::fetch, 3, "b", "0"});
    b.reset();
    EXPECT_EQ(a.take_log(), (Log{"3: no no_such_job", "woken"}));
}

TEST_F(RootDeskTest, TellsThoseWhoConnectThatAJobHasEndedOrARankExited) {
    const Collective both{Collective::Kind::connect, {}, {{"a", true, {}}, {"b", true, {}}}};
    const CollectivePart part{{{"a", false, {0, 1}}}};
    a.ask({Verb::collective, 1, both.encode(), part.encode()});
    b->exchange->exited_below(1);
    EXPECT_EQ(a.take_log(), (Log{"1: no member_gone", "woken"}));
    a.ask({Verb::collective, 2, both.encode(), part.encode()});
    EXPECT_EQ(a.take_log(), Log{"2: no member_gone"}) << "it is known to be gone";
    b = std::make_unique<RootOfJob>(desk, "b");
    a.ask({Verb::collective, 3, both.encode(), part.encode()});
    EXPECT_EQ(a.take_log(), Log{});
    a.ask({Verb::give_up, 3, {}, {}});
    EXPECT_EQ(a.take_log(), Log{"3: no timeout"});
    a.ask({Verb::collective, 4, both.encode(), part.encode()});
    b.reset();
    EXPECT_EQ(a.take_log(), (Log{"4: no member_gone", "woken"}));
}

}  // namespace
}  // namespace launch
