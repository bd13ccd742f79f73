// SPDX-License-Identifier: MIT
#include "modex/server/desk.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <random>

namespace launch {
namespace {

using std::chrono::seconds;
using Lines = std::vector<std::string>;

std::string text_of(const DeskAnswer& answer) {
    static constexpr const char* outcomes[] = {"ok", "absent", "refused", "late"};
    std::string text = outcomes[static_cast<size_t>(answer.outcome)];
    if (!answer.text.empty() && answer.names.empty()) text += " " + answer.text;
    for (const auto& value : answer.names)
        text += " " + value.value_or("-");
    return text;
}

/// The desk of a node with ranks 0 and 1 of four, and what is told there, in words. The tests play
/// the ranks and, where the node is not the root itself, its parent.
class Office : private ExchangeSink, private BlobSource {
  public:
    explicit Office(bool root = false, Holdings::Load limits = Holdings::most)
        : exchange(ExchangeSettings{4, {0, 1}, root}, {}, *this), desk(exchange, limits) {
        if (root) exchange.add_child(1, {{RankRun{2, 2, 1}}});
        desk.set_source(this);
    }

    /// A callback of PMIx, of a rank or of the node.
    Asker callback(std::string name, std::optional<uint32_t> rank = std::nullopt) {
        return {rank, nullptr, [this, name = std::move(name)](const DeskAnswer& answer) {
                    log.push_back(name + ": " + text_of(answer));
                }};
    }
    /// The session of a rank.
    Asker session(uint32_t rank) {
        Asker asker = callback("rank " + std::to_string(rank), rank);
        asker.session = session_of(rank);
        return asker;
    }
    const void* session_of(uint32_t rank) const { return &sessions_[rank]; }
    void leave(uint32_t rank) {
        desk.session_gone(session_of(rank));
        desk.rank_gone(rank);
    }
    void look_up(Asker asker, Lines names, int wanted, int limit) {
        desk.look_up(std::move(asker), {std::move(names), true, size_t(wanted), seconds(limit)},
                     now);
    }
    bool publish(uint32_t rank, const std::string& name, const std::string& value, bool once) {
        return desk.publish(callback("publish", rank), {{name, value}}, once);
    }
    void pass(int time) {
        now += seconds(time);
        desk.expire(now);
    }
    /// The parent answers the n-th question about a name.
    void root_says(uint64_t question, bool ok, std::string value) {
        at_root.erase(question);
        exchange.from_parent(encode(NameAnswer{question, ok, std::move(value)}));
    }
    void fence_ends(Channel channel) {
        LoadDown load = CardsDown{};
        if (channel == Channel::blobs) load = BlobsDown{};
        exchange.from_parent(encode(FenceDown{{}, 1, std::move(load)}));
    }
    void neighbour_wants(uint32_t rank) {
        exchange.from_parent(encode(Ask{Channel::blobs, rank, {}}));
    }

    Lines log;
    std::set<uint64_t> at_root;  ///< questions about names that the parent has not answered
    Exchange exchange;
    Desk desk;
    Desk::Time now{};

  private:
    void to_parent(std::string message) override {
        const auto decoded = decode_exchange(message);
        if (const auto* ask = std::get_if<NameAsk>(&*decoded)) told(*ask);
        if (const auto* answer = std::get_if<Answer>(&*decoded))
            log.push_back(answer->found ? "up: blob " + answer->value : "up: no blob");
    }
    void told(const NameAsk& ask) {
        using Verb = NameAsk::Verb;
        const std::map<Verb, std::string> verbs = {
            {Verb::publish, "publish"}, {Verb::publish_once, "publish once"},
            {Verb::lookup, "look up"},  {Verb::unpublish, "unpublish"},
            {Verb::await, "await"},     {Verb::dead, "dead"}};
        const bool gives_up = ask.verb == Verb::give_up;
        if (!gives_up) at_root.insert(ask.ticket);
        log.push_back("up: " + (gives_up ? "give up " + std::to_string(ask.ticket)
                                         : verbs.at(ask.verb) + " " + ask.name));
    }
    void to_child(NodeIndex, std::string) override {}
    void to_peer(uint32_t, std::string) override {}
    void peers_wanted() override {}
    void fence_done(Channel channel, std::string blob) override {
        desk.fence_done(channel, std::move(blob));
    }
    void group_done(const Desk::Group& group, const std::string& blob) override {
        desk.group_done(group, blob);
    }
    void event_told(const std::string&) override {}
    void ranks_died(const std::vector<uint32_t>&) override {}
    void answered(uint64_t ticket, bool found, const std::string& value) override {
        desk.answered(ticket, found, value);
    }
    void blob_wanted(uint32_t owner) override { desk.blob_wanted(owner, now); }
    void fence_broken(uint32_t, uint32_t) override {}
    void fetch(uint32_t rank) override { log.push_back("fetch " + std::to_string(rank)); }
    void give_up(uint32_t rank) override { log.push_back("give up " + std::to_string(rank)); }

    char sessions_[2] = {};
};

using Step = std::function<void(Office&)>;
struct Row {
    const char* name;
    std::vector<Step> steps;
    Lines log;
    size_t open = 0;  ///< questions, at the end
};

void check(const std::vector<Row>& rows, bool root) {
    for (const Row& row : rows) {
        Office office(root);
        for (const Step& step : row.steps) {
            step(office);
            office.desk.settle();
        }
        EXPECT_EQ(office.log, row.log) << row.name;
        EXPECT_EQ(office.desk.open_questions(), row.open) << row.name;
        EXPECT_EQ(office.desk.next_deadline().has_value(), false) << row.name;
    }
}

// Steps, by who takes them.

Step root_says(uint64_t question, bool ok, const char* value) {
    return [=](Office& office) { office.root_says(question, ok, value); };
}
Step session_looks_up(uint32_t rank) {
    return [=](Office& office) {
        office.desk.look_up(office.session(rank), {.names = {"name"}}, office.now);
    };
}
/// Rank 0, by PMIx.
Step awaits(Lines names, int wanted = 0, int limit = 0) {
    return
        [=](Office& office) { office.look_up(office.callback("lookup", 0), names, wanted, limit); };
}
Step publishes(const char* name, bool once = false) {
    return [=](Office& office) { office.publish(1, name, "at a port", once); };
}
Step unpublishes(const char* name) {
    return [=](Office& office) { office.desk.unpublish(office.callback("unpublish", 1), {name}); };
}
Step joins(uint32_t rank) {
    return [=](Office& office) {
        if (!office.desk.fence(office.session(rank))) office.log.emplace_back("twice");
    };
}
Step all_join(const char* blob = "") {
    return [=](Office& office) { office.desk.fence_all(office.callback("all"), blob, true, {}); };
}
Step some_join(Desk::Group group) {
    return
        [=](Office& office) { office.desk.fence_group(office.callback("group"), group, "g", {}); };
}
Step ends(Channel channel) {
    return [=](Office& office) { office.fence_ends(channel); };
}
Step gets_attribute(uint32_t rank, bool waits) {
    return [=](Office& office) {
        office.desk.get_attribute(office.session(rank), "attribute", waits);
    };
}
Step puts_attribute(uint32_t rank) {
    return [=](Office& office) { office.desk.put_attribute(rank, "attribute", "value"); };
}
Step wants(uint32_t rank) {
    return [=](Office& office) { office.neighbour_wants(rank); };
}
Step published(uint32_t rank, std::optional<std::string> blob) {
    return [=](Office& office) { office.desk.published(rank, blob); };
}
Step session_goes(uint32_t rank) {
    return [=](Office& office) { office.desk.session_gone(office.session_of(rank)); };
}
Step leaves(uint32_t rank) {
    return [=](Office& office) { office.leave(rank); };
}
Step pass(int time) {
    return [=](Office& office) { office.pass(time); };
}

TEST(Desk, AnswersEachQuestionAboutANameOnce) {
    const Step answered_again = [](Office& office) { office.desk.answered(0, true, "again"); };
    check(
        {{"it is found",
          {session_looks_up(0), root_says(0, true, "v"), answered_again},
          {"up: look up name", "rank 0: ok v"}},
         {"it is not",
          {session_looks_up(0), root_says(0, false, "not_found")},
          {"up: look up name", "rank 0: absent -"}},
         {"of several, each has its answer",
          {[](Office& office) {
               office.desk.look_up(office.callback("lookup"), {.names = {"a", "b"}}, office.now);
           },
           root_says(1, true, "B"), root_says(0, false, "not_found")},
          {"up: look up a", "up: look up b", "lookup: absent - B"}},
         {"one of several has its answer twice",
          {[](Office& office) {
               office.desk.look_up(office.callback("lookup"), {.names = {"a", "b"}}, office.now);
           },
           root_says(0, true, "A"), answered_again, root_says(1, true, "B")},
          {"up: look up a", "up: look up b", "lookup: ok A B"}},
         {"of several that are published one is there already",
          {[](Office& office) {
               office.desk.publish(office.callback("publish", 0), {{"a", "1"}, {"b", "2"}}, false);
           },
           root_says(0, false, "key_already_present"), root_says(1, true, "")},
          {"up: publish a", "up: publish b", "publish: absent key_already_present"}},
         {"who has died",
          {[](Office& office) { office.desk.ask_dead(office.session(1)); },
           root_says(0, true, "2-3")},
          {"up: dead ", "rank 1: ok 2-3"}}},
        false);
}

TEST(Desk, GivesUpWhatTakesTooLongOrIsNotNeeded) {
    check({{"nobody publishes it in time",
            {awaits({"name"}, 0, 3), pass(2), pass(1), pass(9), root_says(0, false, name_timeout)},
            {"up: await name", "up: give up 0", "lookup: late -"}},
           {"it was on its way when time was up",
            {awaits({"name"}, 0, 3), pass(3), root_says(0, true, "v")},
            {"up: await name", "up: give up 0", "lookup: ok v"}},
           {"it is there in time",
            {awaits({"name"}, 0, 3), root_says(0, true, "v"), pass(3)},
            {"up: await name", "lookup: ok v"}},
           {"it has no time", {awaits({"name"}), pass(1000)}, {"up: await name"}, 1},
           {"one is enough",
            {awaits({"a", "b"}, 1, 5), root_says(1, true, "B"), root_says(0, false, name_timeout)},
            {"up: await a", "up: await b", "up: give up 0", "lookup: absent - B"}},
           {"one is enough, and the other was on its way",
            {awaits({"a", "b"}, 1), root_says(1, true, "B"), root_says(0, true, "A")},
            {"up: await a", "up: await b", "up: give up 0", "lookup: ok A B"}},
           {"one of two comes in time, which is not enough",
            {awaits({"a", "b"}, 2, 5), root_says(0, true, "A"), pass(5),
             root_says(1, false, name_timeout)},
            {"up: await a", "up: await b", "up: give up 1", "lookup: late A -"}}},
          false);
}

TEST(Desk, GivesUpWhatIsAskedByOneThatHasGone) {
    check({{"a callback of PMIx is answered, by the root",
            {awaits({"name"}), leaves(0), root_says(0, false, name_timeout)},
            {"up: await name", "up: give up 0", "lookup: late -"}},
           {"of another rank it goes on waiting",
            {awaits({"name"}), leaves(1)},
            {"up: await name"},
            1},
           {"who has gone already is not asked for",
            {leaves(0), awaits({"name"}), session_looks_up(0)},
            {"lookup: late", "rank 0: late"}},
           {"a session is not answered any more",
            {session_looks_up(0), session_goes(0), root_says(0, true, "v")},
            {"up: look up name"}},
           {"nor is the next one of that rank in its place",
            {session_looks_up(0), session_goes(0), session_looks_up(1), root_says(0, true, "v"),
             root_says(1, true, "w")},
            {"up: look up name", "up: look up name", "rank 1: ok w"}},
           {"nor of what is decided and not told",
            {[](Office& office) {
                office.desk.get_attribute(office.session(0), "attribute", false);
                office.desk.session_gone(office.session_of(0));
            }},
            {}},
           {"a fence of others goes on",
            {joins(0), joins(1), leaves(0), ends(Channel::cards)},
            {"rank 1: ok"}},
           {"a publication is counted until it is known what became of it",
            {[](Office& office) {
                 office.desk.publish(office.session(0), {{"name", "v"}}, false);
             },
             session_goes(0)},
            {"up: publish name"},
            1}},
          false);
}

TEST(Desk, FencesHaveOneEndEach) {
    check({{"of the key-value space",
            {joins(0), joins(1), ends(Channel::cards)},
            {"rank 0: ok", "rank 1: ok"}},
           {"entered twice", {joins(0), joins(0)}, {"twice"}, 1},
           {"of all", {all_join(), ends(Channel::blobs)}, {"all: ok"}},
           {"of all, entered twice",
            {all_join(), all_join(), ends(Channel::blobs)},
            {"all: refused the rank is already in this fence", "all: ok"}},
           {"one is not the other",
            {joins(0), joins(1), all_join(), ends(Channel::blobs)},
            {"all: ok"},
            2},
           {"of a group, entered twice",
            {some_join({0, 2}), some_join({0, 2}), some_join({1, 2}),
             [](Office& office) {
                 office.exchange.from_parent(
                     encode(FenceDown{{0, 2}, 1, BlobsDown{{{2, 0, 4, "blob"}}}}));
             }},
            {"group: refused the rank is already in this fence", "group: ok gblob"},
            1}},
          false);
}

TEST(Desk, AttributesOfTheNodeAreThereForAllOfIt) {
    check({{"there", {puts_attribute(0), gets_attribute(1, false)}, {"rank 1: ok value"}},
           {"not there", {gets_attribute(1, false)}, {"rank 1: absent key_not_found"}},
           {"waited for",
            {gets_attribute(1, true), gets_attribute(0, true), puts_attribute(0)},
            {"rank 1: ok value", "rank 0: ok value"}},
           {"its asker goes", {gets_attribute(1, true), leaves(1), puts_attribute(0)}, {}}},
          false);
}

TEST(Desk, GivesUpWhatOthersWantOfRanksHere) {
    const Step no_source = [](Office& office) { office.desk.set_source(nullptr); };
    check({{"it is published",
            {wants(0), pass(1000), published(0, "data"), published(0, "again")},
            {"fetch 0", "up: blob data"}},
           {"nobody here publishes", {no_source, wants(0)}, {"up: no blob"}},
           {"after a fence it is not waited for long",
            {all_join(), ends(Channel::blobs), wants(1), pass(1), pass(1),
             published(1, std::nullopt)},
            {"all: ok", "fetch 1", "give up 1", "up: no blob"}},
           {"its rank goes",
            {wants(0), wants(1), leaves(0), published(0, std::nullopt)},
            {"fetch 0", "fetch 1", "give up 0", "up: no blob"},
            1},
           {"its rank has gone, and left it behind",
            {leaves(0), wants(0), published(0, "data")},
            {"fetch 0", "give up 0", "up: blob data"}}},
          false);
}

TEST(Desk, ANameThatIsReadOnceGoesToOne) {
    check({{"who looks it up first",
            {publishes("name", true), session_looks_up(0), session_looks_up(1)},
            {"publish: ok", "rank 0: ok at a port", "rank 1: absent -"}},
           {"who waited for it",
            {awaits({"name"}), publishes("name", true), session_looks_up(1)},
            {"lookup: ok at a port", "publish: ok", "rank 1: absent -"}},
           {"not to one that has gone",
            {awaits({"name"}), leaves(0), publishes("name", true), session_looks_up(1)},
            {"lookup: late -", "publish: ok", "rank 1: ok at a port"}},
           {"not to one that has enough",
            {publishes("a", true), publishes("name", true), awaits({"a", "name"}, 1),
             session_looks_up(1)},
            {"publish: ok", "publish: ok", "lookup: absent at a port -", "rank 1: ok at a port"}},
           {"not to one that has got enough since",
            {awaits({"a", "name"}, 1), publishes("a", true), publishes("name", true),
             session_looks_up(1)},
            {"publish: ok", "lookup: absent at a port -", "publish: ok", "rank 1: ok at a port"}}},
          true);
}

TEST(Desk, AnAnswerMayLeadToTheNextQuestion) {
    Office office(true);
    Asker first = office.callback("first");
    first.answer = [&](const DeskAnswer&) {
        office.desk.look_up(office.callback("second"), {.names = {"name"}}, office.now);
        office.desk.settle();
        office.log.emplace_back("asked");
    };
    office.desk.look_up(std::move(first), {.names = {"name"}}, office.now);
    office.desk.settle();
    EXPECT_EQ(office.log, (Lines{"asked", "second: absent -"})) << "not from inside the first";
}

/// What rank 1 may hold: two keys of twenty bytes together, and two questions.
struct QuotaRow {
    const char* name;
    std::vector<Step> steps;
    bool one_more;  ///< key fits
};

Step puts(const char* key, const char* value) {
    return [=](Office& office) { office.desk.put(1, key, value); };
}
Step looks_up(const char* name) {
    return [=](Office& office) {
        office.desk.look_up(office.callback("lookup", 1), {.names = {name}}, office.now);
    };
}

TEST(Desk, what_a_rank_tells_all_others_counts_for_a_while) {
    Office office(true, {.keys = 2, .bytes = 20, .questions = 2});
    const auto tells = [&] { return office.desk.tell_event(1, "e", office.now); };
    EXPECT_TRUE(tells());
    EXPECT_TRUE(tells());
    EXPECT_FALSE(tells());
    office.now += Desk::event_time;
    EXPECT_TRUE(tells());
    EXPECT_TRUE(tells());
    EXPECT_FALSE(office.desk.tell_event(2, std::string(21, 'x'), office.now));
}

TEST(Desk, WhatARankHoldsShrinksAgain) {
    const std::vector<QuotaRow> rows = {
        {"nothing", {}, true},
        {"two keys", {puts("a", "1"), puts("b", "2")}, false},
        {"many bytes", {puts("a", "1234567890123456789")}, false},
        {"the same key again", {puts("a", "1"), puts("a", "2")}, true},
        {"and then fewer bytes", {puts("a", "1234567890123456789"), puts("a", "1")}, true},
        {"a name", {puts("a", "1"), publishes("n", false)}, false},
        {"a name, withdrawn", {puts("a", "1"), publishes("n"), unpublishes("n")}, true},
        {"a name that was there",
         {[](Office& office) { office.publish(0, "n", "1", false); }, publishes("n"),
          publishes("n"), publishes("n")},
         true},
        {"names that are read once, by whom nobody here hears",
         {puts("a", "1"), publishes("n", true), publishes("o", true), publishes("p", true)},
         true},
        {"one that has been", {puts("a", "1"), publishes("n", true), looks_up("n")}, true},
        {"one that somebody waited for",
         {puts("a", "1"), awaits({"n"}), publishes("n", true)},
         true},
        {"one that is withdrawn and published again",
         {puts("a", "1"), publishes("n"), unpublishes("n"), publishes("n")},
         false},
        {"one that has been withdrawn",
         {puts("a", "1"), publishes("n", true), unpublishes("n")},
         true},
        {"a name that is read and stays", {puts("a", "1"), publishes("n"), looks_up("n")}, false},
        {"an attribute", {puts("a", "1"), puts_attribute(1)}, false},
        {"the same attribute again", {puts_attribute(1), puts_attribute(1)}, true},
        {"it has gone", {puts("a", "1"), puts("b", "2"), leaves(1)}, true},
        {"another has gone", {puts("a", "1"), puts("b", "2"), leaves(0)}, false}};
    for (const QuotaRow& row : rows) {
        Office office(true, {.keys = 2, .bytes = 20, .questions = 2});
        for (const Step& step : row.steps) {
            step(office);
            office.desk.settle();
        }
        EXPECT_EQ(office.desk.put(1, "k", "vv"), row.one_more) << row.name;
    }
}

TEST(Desk, QuestionsOfOneRankAreCountedUntilTheyAreAnswered) {
    struct Asking {
        const char* name;
        std::vector<Step> steps;
        size_t taken;  ///< of two more
    };
    const Step of_one = [](Office& office) {
        office.look_up(office.callback("lookup", 1), {"x"}, 0, 1);
    };
    const std::vector<Asking> rows = {
        {"none", {}, 2},
        {"one for a name", {of_one}, 1},
        {"one for two names",
         {[](Office& office) {
             office.look_up(office.callback("lookup", 1), {"x", "y"}, 0, 0);
         }},
         0},
        {"one that is answered", {of_one, root_says(0, true, "v")}, 2},
        {"one that is given up", {of_one, pass(1), root_says(0, false, name_timeout)}, 2},
        {"of another rank", {awaits({"x"})}, 2},
        {"of the node", {all_join()}, 2},
        {"a fence", {joins(1)}, 1},
        {"a fence that ends", {joins(1), joins(0), ends(Channel::cards)}, 2},
        {"one whose session has gone", {session_looks_up(1), session_goes(1)}, 2}};
    for (const Asking& row : rows) {
        Office office(false, {.keys = 2, .bytes = 10, .questions = 2});
        for (const Step& step : row.steps) {
            step(office);
            office.desk.settle();
        }
        const size_t before = office.desk.open_questions();
        for (int i = 0; i < 2; ++i)
            of_one(office);
        office.desk.settle();
        EXPECT_EQ(office.desk.open_questions() - before, row.taken) << row.name;
        if (row.taken < 2) {
            EXPECT_EQ(office.log.back(), "lookup: refused too_many_questions") << row.name;
        }
    }
}

/// Anything in any order, at a node with a parent or without.
class Turmoil {
  public:
    explicit Turmoil(unsigned seed)
        : office_(seed % 2 == 0, {.keys = 20, .bytes = 200, .questions = 40}), random_(seed) {}

    void run() {
        for (int step = 0; step < 300; ++step) {
            happen(below(11));
            if (below(3) != 0) office_.desk.settle();
        }
        for (const uint32_t rank : {0u, 1u})
            office_.leave(rank);
        for (int round = 0; round < 3; ++round)
            end();
        EXPECT_EQ(office_.desk.open_questions(), 0u);
        EXPECT_FALSE(office_.desk.next_deadline());
        for (const auto& [number, times] : answers_)
            EXPECT_EQ(times, 1) << "question " << number;
    }

  private:
    uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_()) % end; }
    std::string name() { return std::string(1, static_cast<char>('a' + below(5))); }
    Asker callback(uint32_t rank) {
        const size_t number = answers_.size();
        answers_[number] = 0;
        return {rank, nullptr, [this, number](const DeskAnswer&) { ++answers_[number]; }};
    }
    void happen(uint32_t what) {
        const uint32_t rank = below(2);
        Desk& desk = office_.desk;
        switch (what) {
            case 0:
                office_.look_up(callback(rank), {name(), name()}, int(below(3)), int(below(4)));
                break;
            case 1: desk.look_up(callback(rank), {.names = {name(), name()}}, office_.now); break;
            case 2: publish(rank); break;
            case 3: desk.unpublish(callback(rank), {name(), name()}); break;
            case 4: desk.put(rank, name(), name()); break;
            case 5: desk.get_attribute(office_.session(rank), name(), true); break;
            case 6: desk.put_attribute(rank, name(), "v"); break;
            case 7: office_.pass(int(below(3))); break;
            case 8: answer(below(2) == 0); break;
            case 9: wanted(rank); break;
            default:
                if (below(20) == 0) office_.leave(rank);
                desk.session_gone(office_.session_of(rank));
        }
    }
    void publish(uint32_t rank) {
        Asker asker = callback(rank);
        const bool taken =
            office_.desk.publish(asker, {{name(), "v"}, {name(), "w"}}, below(2) == 0);
        if (!taken) asker.answer({});
    }
    void wanted(uint32_t rank) {
        if (below(2) == 0) return office_.desk.published(rank, "data");
        office_.neighbour_wants(rank);
    }
    void answer(bool found) {
        if (office_.at_root.empty()) return;
        auto at = office_.at_root.begin();
        std::advance(at, below(static_cast<uint32_t>(office_.at_root.size())));
        office_.root_says(*at, found, found ? "v" : name_timeout);
    }
    void end() {
        office_.desk.settle();
        office_.pass(10);
        while (!office_.at_root.empty())
            answer(false);
        for (const uint32_t rank : {0u, 1u})
            office_.desk.published(rank, std::nullopt);
        office_.desk.settle();
    }

    Office office_;
    std::mt19937 random_;
    std::map<size_t, int> answers_;
};

TEST(Desk, AnswersEachQuestionOnceWhateverHappens) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        Turmoil(seed).run();
    }
}

TEST(Desk, APublicationThatDoesNotFitIsNotTaken) {
    Office office(true, {.keys = 2, .bytes = 10, .questions = 2});
    EXPECT_FALSE(office.publish(1, "name", "1234567", false));
    office.desk.settle();
    EXPECT_EQ(office.log, Lines{});
    EXPECT_EQ(office.desk.open_questions(), 0u);
}

TEST(Desk, who_spawns_is_answered_once_by_the_head) {
    Office office;
    const auto first = office.desk.spawn(office.session(0));
    const auto second = office.desk.spawn(office.session(1));
    ASSERT_TRUE(first && second);
    office.desk.answered(*first, true, "not from the exchange, which was not asked");
    office.leave(1);
    office.desk.spawned(*second, {.text = "to nobody"});
    office.desk.spawned(*first, {.text = "job.1"});
    office.desk.spawned(*first, {.text = "again"});
    office.desk.spawned(99, {.text = "never asked"});
    office.desk.settle();
    EXPECT_EQ(office.log, Lines{"rank 0: ok job.1"});
    EXPECT_EQ(office.desk.open_questions(), 0U);
}

}  // namespace
}  // namespace launch
