// SPDX-License-Identifier: MIT
#include "modex/exchange/exchange.hpp"

#include <algorithm>
#include <random>

#include "tests/unit/modex/exchange/jobs.hpp"
#include "tests/unit/modex/exchange/kept.hpp"
#include "tests/unit/modex/exchange/recorder.hpp"

namespace launch {
namespace {

using Reply = Recorder::Reply;

template <class M>
uint64_t sent(const Simulation& simulation) {
    return simulation.traffic().kinds[ExchangeMessage(M{}).index()];
}

std::string card_key(uint32_t rank) {
    return "card-" + std::to_string(rank);
}

/// Every rank puts one card of `size` bytes, and joins.
void put_and_join(Simulation& simulation, uint32_t ranks, size_t size) {
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        std::string value = "rank " + std::to_string(rank);
        value.resize(size, '.');
        simulation.of(rank).put({rank, card_key(rank), value});
        simulation.of(rank).join(rank);
    }
    simulation.run();
}

TEST(Exchange, contributions_to_a_fence_of_all_come_to_all) {
    for_each_job(5, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        Recorder told;
        Simulation simulation(topology, placed, settings, told);
        for (const bool collect : {true, false, true}) {
            told.blobs.clear();
            size_t nodes = 0;
            for (NodeIndex node = 0; node < placed.size(); ++node) {
                if (placed[node].empty()) continue;
                ++nodes;
                const std::string own = "<" + std::to_string(1000 + node) + ">";
                EXPECT_TRUE(simulation.at(node).join_all(own, collect));
                // Not a second time, unless it was the last and the fence is over.
                if (told.blobs.empty() && nodes == 1 && placed.size() > 1 && node > 0) {
                    EXPECT_FALSE(simulation.at(node).join_all(own, collect));
                }
            }
            simulation.run();
            for (NodeIndex node = 0; node < placed.size(); ++node) {
                if (placed[node].empty()) continue;
                ASSERT_EQ(told.blobs.count(node), 1U);
                const std::string& all = told.blobs[node];
                EXPECT_EQ(all.size(), collect ? nodes * 6 : 0);
                for (NodeIndex other = 0; collect && other < placed.size(); ++other) {
                    const bool in = all.find(std::to_string(1000 + other)) != std::string::npos;
                    EXPECT_EQ(in, !placed[other].empty());
                }
            }
        }
        EXPECT_EQ(simulation.traffic().refused, 0U);
    });
}

TEST(Exchange, names_are_the_whole_job_s) {
    Recorder told;
    Simulation simulation(*make_kary(2), block_placement({0, 1, 1, 1, 1}), {}, told);
    using Verb = NameAsk::Verb;
    uint64_t ticket = 0;
    const auto ask = [&](uint32_t rank, Verb verb, const std::string& value = {}) {
        simulation.of(rank).name(verb, ++ticket, "port", value);
        simulation.run();
        return told.replies.at(ticket);
    };
    EXPECT_EQ(ask(0, Verb::lookup), (Reply{false, "not_found"}));
    EXPECT_EQ(ask(0, Verb::publish, "7"), (Reply{true, ""}));
    EXPECT_EQ(ask(3, Verb::publish, "8"), (Reply{false, "key_already_present"}));
    EXPECT_EQ(ask(3, Verb::lookup), (Reply{true, "7"}));
    EXPECT_EQ(ask(2, Verb::unpublish), (Reply{true, ""}));
    EXPECT_EQ(ask(1, Verb::unpublish), (Reply{false, "not_found"}));
    EXPECT_EQ(ask(1, Verb::publish_once, "9"), (Reply{true, ""}));
    EXPECT_EQ(ask(2, Verb::publish, "8"), (Reply{false, "key_already_present"}));
    EXPECT_EQ(ask(3, Verb::lookup), (Reply{true, "9"}));
    EXPECT_EQ(ask(0, Verb::lookup), (Reply{false, "not_found"})) << "taken by the first";
    EXPECT_EQ(ask(2, Verb::unpublish), (Reply{false, "not_found"}));
    EXPECT_EQ(ask(2, Verb::publish, "8"), (Reply{true, ""}));
    EXPECT_EQ(ask(0, Verb::lookup), (Reply{true, "8"}));
}

TEST(Exchange, a_flat_tree_fetches_everything_by_four_messages_a_node) {
    constexpr uint32_t nodes = 1000;
    std::vector<uint32_t> counts(nodes + 1, 1);
    counts[0] = 0;
    Recorder told;
    Simulation::Settings settings;
    settings.algorithm = ModexChoice::on_demand;
    settings.watch_repeats = false;
    Simulation simulation(*make_kary(nodes), block_placement(counts), settings, told);
    const auto key = [](uint32_t rank) { return "P" + std::to_string(rank); };
    for (uint32_t rank = 0; rank < nodes; ++rank) {
        simulation.of(rank).put({rank, key(rank), "v"});
        simulation.of(rank).join(rank);
    }
    simulation.run();
    uint64_t ticket = 0;
    for (uint32_t rank = 0; rank < nodes; ++rank)
        for (uint32_t other = 1; other <= 100; ++other)
            simulation.of(rank).get(++ticket, key((rank + other) % nodes), -1);
    simulation.run();
    EXPECT_EQ(told.answers, ticket);
    const auto& kinds = simulation.traffic().kinds;
    EXPECT_EQ(kinds[4], 2 * nodes) << "each says once that it wants all, and is asked once";
    EXPECT_EQ(kinds[5], 2 * nodes) << "and answered once, and answers once";
}

struct AwaitedNames {
    explicit AwaitedNames(bool heals)
        : simulation(*make_chain(), block_placement({1, 1, 1, 1}), {.heals = heals}, told) {}
    /// Ranks ask with their own number for a ticket.
    void ask(uint32_t rank, NameAsk::Verb verb, const std::string& value = {}) {
        simulation.of(rank).name(verb, rank, "port", value);
        simulation.run();
    }

    Recorder told;
    Simulation simulation;
};

TEST(Exchange, who_awaits_a_name_is_answered_when_it_is_published) {
    using Verb = NameAsk::Verb;
    AwaitedNames job(false);
    job.ask(0, Verb::await);
    job.ask(3, Verb::await);
    EXPECT_EQ(job.told.answers, 0U);
    job.ask(2, Verb::publish, "7");
    EXPECT_EQ(job.told.replies,
              (std::map<uint64_t, Reply>{{0, {true, "7"}}, {2, {true, ""}}, {3, {true, "7"}}}));
    job.ask(1, Verb::await);
    EXPECT_EQ(job.told.replies.at(1), (Reply{true, "7"})) << "it is there already";
    EXPECT_EQ(job.told.answers, 4U);
}

TEST(Exchange, a_name_for_one_goes_to_the_first_who_awaits_it) {
    using Verb = NameAsk::Verb;
    AwaitedNames job(false);
    for (const uint32_t rank : {3U, 1U})
        job.ask(rank, Verb::await);
    job.ask(2, Verb::publish_once, "7");
    EXPECT_EQ(job.told.replies, (std::map<uint64_t, Reply>{{2, {true, ""}}, {3, {true, "7"}}}));
    job.ask(2, Verb::publish, "8");
    EXPECT_EQ(job.told.replies.at(1), (Reply{true, "8"}));
}

TEST(Exchange, who_gives_up_a_name_is_answered_once_and_takes_nothing_away) {
    using Verb = NameAsk::Verb;
    for (const uint32_t rank : {0U, 3U}) {
        AwaitedNames job(false);
        job.ask(rank, Verb::await);
        job.ask(rank, Verb::give_up);
        EXPECT_EQ(job.told.replies.at(rank), (Reply{false, name_timeout}));
        job.ask(rank, Verb::give_up);
        job.ask(2, Verb::publish_once, "7");
        EXPECT_EQ(job.told.answers, 2U);
        // The name is on its way when he gives up.
        job.simulation.of(rank).name(Verb::await, 9, "port", {});
        while (job.told.replies.count(9) == 0 && job.simulation.step()) {
        }
        job.ask(rank, Verb::give_up);
        EXPECT_EQ(job.told.replies.at(9), (Reply{true, "7"}));
        EXPECT_EQ(job.told.answers, 3U);
        EXPECT_EQ(job.simulation.traffic().refused, 0U);
    }
}

TEST(Exchange, a_name_is_awaited_by_another_way_when_nodes_are_lost) {
    using Verb = NameAsk::Verb;
    for (const bool gives_up : {false, true}) {
        AwaitedNames job(true);
        job.ask(3, Verb::await);
        job.simulation.lose(2);
        if (gives_up) job.simulation.of(3).name(Verb::give_up, 3, {}, {});
        job.simulation.run();
        job.ask(1, Verb::publish_once, "7");
        EXPECT_EQ(job.told.replies.at(3),
                  gives_up ? (Reply{false, name_timeout}) : (Reply{true, "7"}));
        EXPECT_EQ(job.told.answers, 2U);
        EXPECT_EQ(job.simulation.traffic().refused, 0U);
    }
}

TEST(Exchange, what_a_rank_publishes_through_pmix_is_fetched_once_for_all_who_wait) {
    Recorder told;
    Simulation simulation(*make_chain(), block_placement({0, 1, 1, 1}), {}, told);
    simulation.of(0).fetch(1, 2);
    simulation.of(1).fetch(2, 2);
    simulation.of(1).fetch(3, 2);
    simulation.of(0).fetch(4, 99);
    simulation.run();
    EXPECT_EQ(told.wanted, (std::vector<std::pair<NodeIndex, uint32_t>>{{3, 2}}));
    EXPECT_EQ(told.replies.at(4), (Reply{false, ""}));
    simulation.of(2).resolved(2, "everything");
    simulation.run();
    for (const uint64_t ticket : {1U, 2U, 3U})
        EXPECT_EQ(told.replies.at(ticket), (Reply{true, "everything"}));
    EXPECT_EQ(told.answers, 4U);
}

TEST(Exchange, absent_ranks_are_reported_once_at_the_root) {
    for_each_job(10, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        uint32_t ranks = 0;
        for (const auto& node : placed)
            ranks += static_cast<uint32_t>(node.size());
        if (ranks < 2) return;
        Recorder told;
        Simulation simulation(topology, placed, settings, told);
        std::vector<uint32_t> gone;
        for (uint32_t rank = 0; rank < ranks; ++rank) {
            if (rank % 3 == 0) gone.push_back(rank);
            for (uint32_t i = 0; i < simulation.random()() % 4; ++i)
                simulation.step();
            if (rank % 3 == 0) {
                simulation.exit(rank);
            } else {
                EXPECT_TRUE(simulation.of(rank).join(rank));
                if (rank % 7 == 1) simulation.exit(rank);  // it has joined: not absent
            }
        }
        simulation.run();
        ASSERT_EQ(told.broken.size(), 1U);
        EXPECT_EQ(told.broken[0].first % 3, 0U);
        EXPECT_EQ(told.broken[0].second, gone.size());
        EXPECT_TRUE(told.fences.empty());
        EXPECT_EQ(simulation.traffic().refused, 0U);
    });
}

TEST(Exchange, questions_about_one_card_are_asked_once) {
    Recorder told;
    Simulation::Settings settings;
    settings.algorithm = ModexChoice::on_demand;
    // root - relay - (six nodes with two ranks each)
    class Hub : public Topology {
        std::string name() const override { return "hub"; }
        void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const override {
            out.clear();
            if (v == 0) out.push_back(1);
            for (NodeIndex child = 2; v == 1 && child < n; ++child)
                out.push_back(child);
        }
        NodeIndex parent(NodeIndex v, NodeIndex) const override { return v == 1 ? 0 : 1; }
    };
    Simulation simulation(Hub(), block_placement({1, 0, 2, 2, 2, 2, 2, 2}), settings, told);
    put_and_join(simulation, 13, 200);
    const uint64_t before = simulation.traffic().messages;
    for (uint32_t rank = 1; rank < 13; ++rank)
        simulation.of(rank).get(rank, card_key(0), -1);
    simulation.run();
    EXPECT_EQ(told.answers, 12U);
    EXPECT_EQ(sent<Ask>(simulation), 7U);  // one of each node, one of the relay
    EXPECT_EQ(simulation.traffic().messages, before + 14);
    simulation.of(5).get(99, card_key(0), -1);
    EXPECT_EQ(simulation.traffic().messages, before + 14);  // from its cache
}

TEST(Exchange, who_keeps_asking_fetches_all_at_once) {
    constexpr uint32_t ranks = 200;
    Recorder told;
    Simulation::Settings settings;
    settings.algorithm = ModexChoice::on_demand;
    std::vector<uint32_t> counts(ranks + 1, 1);
    counts[0] = 0;
    Simulation simulation(*make_kary(8), block_placement(counts), settings, told);
    for (uint32_t round = 0; round < 3; ++round) {
        put_and_join(simulation, ranks, 200 + round);
        const uint64_t asks = sent<Ask>(simulation);
        const uint64_t wants = sent<Want>(simulation);
        const uint64_t answers = told.answers;
        for (uint32_t rank = 0; rank < ranks; ++rank)
            simulation.of(7).get(rank, card_key(rank), -1);
        simulation.run();
        EXPECT_EQ(told.answers, answers + ranks);
        for (uint32_t rank = 0; rank < ranks; ++rank)
            EXPECT_EQ(told.replies.at(rank).value.size(), 200 + round) << rank;
        // Each edge is asked for one of its sides, those on the way to the root for one each.
        EXPECT_GT(sent<Want>(simulation), wants);
        EXPECT_LE(sent<Want>(simulation), wants + ranks + 3);
        EXPECT_LE(sent<Ask>(simulation), asks + 36);
        const uint64_t quiet = simulation.traffic().messages;
        for (uint32_t rank = 0; rank < ranks; ++rank)
            simulation.of(7).get(rank, card_key(rank), -1);
        simulation.of(7).get(1000, "card-1000", -1);
        simulation.run();
        EXPECT_EQ(simulation.traffic().messages, quiet);
        EXPECT_EQ(told.replies.at(1000), (Reply{false, ""}));
    }
    EXPECT_TRUE(simulation.traffic().repeats.empty());
}

TEST(Exchange, everybody_reads_every_card) {
    for_each_job(3, [](const Topology& topology, const NodeRanks& placed, const auto& settings) {
        uint32_t ranks = 0;
        for (const auto& node : placed)
            ranks += static_cast<uint32_t>(node.size());
        Recorder told;
        Simulation simulation(topology, placed, settings, told);
        put_and_join(simulation, ranks, 500);
        for (uint32_t reader = 0; reader < ranks; ++reader) {
            for (uint32_t rank = 0; rank < ranks; ++rank) {
                simulation.of(reader).get(reader * ranks + rank, card_key(rank), -1);
                if (simulation.random()() % 3 == 0) simulation.step();
            }
        }
        simulation.run();
        EXPECT_EQ(told.answers, uint64_t{ranks} * ranks);
        for (const auto& [ticket, reply] : told.replies)
            EXPECT_EQ(reply.value.substr(0, 8),
                      ("rank " + std::to_string(ticket % ranks) + "...").substr(0, 8));
        for (const auto& [kinds, times] : simulation.traffic().repeats)
            ADD_FAILURE() << kinds << ": " << times;
    });
}

TEST(Exchange, subtrees_without_a_rank_are_left_alone) {
    Recorder told;
    Simulation simulation(*make_kary(2), block_placement({1, 1, 0, 0, 0, 0}), {}, told);
    put_and_join(simulation, 2, 10);
    EXPECT_EQ(told.fences, (std::map<NodeIndex, uint32_t>{{0, 1}, {1, 1}}));
    EXPECT_EQ(simulation.traffic().messages, 2U);
}

TEST(Exchange, what_a_lost_subtree_was_waited_for_comes_from_what_replaces_it) {
    Kept kept;
    Exchange exchange({4, {0}, true, true}, ModexChoice::automatic, kept);
    exchange.add_child(1, {{{1, 1, 1}}, {{2, 1, 1}}, {{3, 1, 1}}});
    exchange.fetch(7, 1);
    exchange.fetch(8, 2);
    exchange.join(0);
    ASSERT_EQ(kept.down.size(), 2U);
    exchange.add_child(2, {{{2, 1, 1}}});
    exchange.add_child(3, {{{3, 1, 1}}});
    exchange.remove_child(1);
    EXPECT_EQ(kept.answers, (std::vector<std::pair<uint64_t, bool>>{{7, false}}));
    ASSERT_EQ(kept.down.size(), 3U);
    EXPECT_EQ(kept.down[2].first, 2U);
    EXPECT_EQ(kept.fences, 0U);
    exchange.remove_child(3);
    EXPECT_TRUE(exchange.from_child(2, encode(FenceUp{.counted = 1, .load = CardsUp{}})));
    EXPECT_EQ(kept.fences, 1U);
}

TEST(Exchange, a_fence_does_not_wait_for_a_subtree_that_could_not_be_started) {
    Kept kept;
    Exchange exchange({2, {0}, true, true}, ModexChoice::automatic, kept);
    exchange.add_child(1, {{{1, 1, 1}}});
    exchange.join(0);
    EXPECT_EQ(kept.fences, 0U);
    exchange.remove_child(1);
    EXPECT_EQ(kept.fences, 1U);
}

TEST(Exchange, a_question_that_would_go_back_is_answered) {
    Kept kept;
    Exchange exchange({4, {0}, false, true}, ModexChoice::automatic, kept);
    exchange.add_child(1, {{{1, 1, 1}}});
    EXPECT_TRUE(exchange.from_parent(encode(Ask{Channel::blobs, 3, {}})));
    EXPECT_TRUE(exchange.from_child(1, encode(Ask{Channel::cards, 1, "k"})));
    ASSERT_EQ(kept.up.size(), 1U);
    EXPECT_FALSE(std::get<Answer>(kept.up[0]).found);
    ASSERT_EQ(kept.down.size(), 1U);
    EXPECT_FALSE(std::get<Answer>(kept.down[0].second).found);
}

const CardsUp& cards_of(const ExchangeMessage& message) {
    return std::get<CardsUp>(std::get<FenceUp>(message).load);
}

TEST(Exchange, what_is_put_while_the_fence_is_on_its_way_comes_with_the_next) {
    Kept kept;
    Exchange exchange({2, {0}, false, true}, ModexChoice::gather, kept);
    FenceDown down;
    exchange.put({0, "a", "1"});
    exchange.join(0);
    exchange.put({0, "b", "2"});
    down.number = 1;
    EXPECT_TRUE(exchange.from_parent(encode(down)));
    exchange.join(0);
    ASSERT_EQ(kept.up.size(), 2U);
    EXPECT_EQ(cards_of(kept.up[0]).patterns, (std::vector<NewPattern>{{"a", 0}}));
    EXPECT_EQ(cards_of(kept.up[1]).patterns, (std::vector<NewPattern>{{"b", 0}}));
}

TEST(Exchange, a_fence_tells_many_names_in_parts) {
    Kept kept;
    Exchange exchange({2, {0}, false, true}, ModexChoice::gather, kept);
    std::mt19937 random(1);
    constexpr uint32_t names = 20'000;
    for (uint32_t i = 0; i < names; ++i) {
        std::string key(60, ' ');
        for (char& c : key)
            c = static_cast<char>('a' + random() % 26);
        exchange.put({0, key, "v"});
    }
    exchange.join(0);
    ASSERT_GT(kept.up.size(), 4U);
    size_t told = 0;
    for (const ExchangeMessage& message : kept.up) {
        EXPECT_LT(encode(message).size(), 2 * PieceBatch::limit);
        EXPECT_EQ(std::get<FenceUp>(message).last, &message == &kept.up.back());
        told += cards_of(message).patterns.size();
    }
    EXPECT_EQ(told, names);
    EXPECT_TRUE(cards_of(kept.up.back()).complete);
}

TEST(Exchange, what_a_fence_gathers_comes_in_parts_and_all_of_it) {
    for (const bool heals : {false, true}) {
        Recorder told;
        Simulation simulation(*make_kary(2), block_placement({1, 1, 1, 1, 1}),
                              {.algorithm = ModexChoice::gather, .heals = heals}, told);
        constexpr uint32_t ranks = 5;
        const std::string value(60'000, 'v');
        for (uint32_t round = 0; round < 2; ++round) {
            for (uint32_t rank = 0; rank < ranks; ++rank)
                for (const char* key : {"a", "b", "c"})
                    simulation.of(rank).put(
                        {rank, key + std::to_string(rank), value + std::to_string(round)});
            for (uint32_t rank = 0; rank < ranks; ++rank)
                simulation.of(rank).join(rank);
            simulation.run();
            const uint64_t messages = simulation.traffic().messages;
            told.replies.clear();
            for (uint32_t reader = 0; reader < ranks; ++reader)
                for (uint32_t rank = 0; rank < ranks; ++rank)
                    simulation.of(reader).get(rank + ranks * reader, "b" + std::to_string(rank),
                                              static_cast<int32_t>(rank));
            simulation.run();
            EXPECT_EQ(simulation.traffic().messages, messages) << "it has come with the fence";
            EXPECT_EQ(told.replies.size(), ranks * ranks);
            for (const auto& [ticket, reply] : told.replies)
                EXPECT_TRUE(reply.found && reply.value == value + std::to_string(round));
        }
        EXPECT_LT(simulation.traffic().largest, 2 * PieceBatch::limit);
        EXPECT_EQ(simulation.traffic().refused, 0U);
    }
}

TEST(Exchange, a_message_in_parts_is_said_with_the_last_of_them) {
    Kept kept;
    Exchange root({2, {0}, true, true}, ModexChoice::automatic, kept);
    root.add_child(1, {{{1, 1, 1}}});
    const std::string up = encode(FenceUp{.counted = 1});
    const auto part = [&](bool first, bool last, size_t begin, size_t size) {
        return encode(MessagePart{first, last, up.substr(begin, size)});
    };
    EXPECT_TRUE(root.from_child(1, part(true, false, 0, 5)));  // the rest was lost with a link
    EXPECT_TRUE(root.from_child(1, part(true, false, 0, 2)));
    root.join(0);
    EXPECT_EQ(kept.fences, 0U);
    EXPECT_TRUE(root.from_child(1, part(false, true, 2, up.size())));
    EXPECT_EQ(kept.fences, 1U);
    EXPECT_FALSE(root.from_child(1, part(true, true, 0, 3))) << "not a message";
    const std::string nested = part(true, true, 0, up.size());
    EXPECT_FALSE(root.from_child(1, encode(MessagePart{true, true, nested})));
}

TEST(Exchange, neighbours_are_refused_what_they_may_not_send) {
    Kept kept;
    Exchange root({2, {0}, true, true}, ModexChoice::automatic, kept);
    root.add_child(1, {{{1, 1, 1}}});
    const FenceUp early{{}, 1, 1, 0, 0, {}};
    const FenceUp up{.counted = 1};
    const FenceUp rubbish{{}, 0, 1, 0, 0, CardsUp{.cards = "\x01"}};
    const FenceUp cards_of_group{{0, 1}, 0, 1, 0, 0, CardsUp{}};
    EXPECT_FALSE(root.from_parent(encode(Want{})));
    EXPECT_FALSE(root.from_child(9, encode(Want{})));
    EXPECT_FALSE(root.from_child(1, "rubbish"));
    EXPECT_FALSE(root.from_child(1, encode(early)));
    EXPECT_FALSE(root.from_child(1, encode(rubbish)));
    EXPECT_FALSE(root.from_child(1, encode(cards_of_group)));
    EXPECT_FALSE(root.from_child(1, encode(FenceDown{})));
    EXPECT_FALSE(root.from_child(1, encode(Cards{})));
    EXPECT_FALSE(root.from_child(1, encode(NameAnswer{})));
    EXPECT_FALSE(root.from_child(1, encode(FenceDown{{0, 1}, 1, BlobsDown{}})));
    EXPECT_FALSE(root.from_parent(encode(WatchDeaths{})));
    EXPECT_TRUE(root.from_child(1, encode(up)));
    EXPECT_FALSE(root.from_child(1, encode(up)));
}

}  // namespace
}  // namespace launch
