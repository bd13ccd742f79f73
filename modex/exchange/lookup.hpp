// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "modex/exchange/bulk_fetch.hpp"
#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/tree_part.hpp"

namespace launch {

/// Finds cards that this node does not have: it asks towards the owner, once for all that wait for
/// the same card, and keeps the answer. A node that asks too often fetches all cards.
class Lookup : public TreePart {
  public:
    Lookup(ExchangeState& state, BulkFetch& bulk) : state_(state), bulk_(bulk) {}

    /// A local rank wants a card. `owner`: the rank that put it where the wire says so, or -1.
    void get(uint64_t ticket, const std::string& key, int32_t owner);
    /// A local PMIx server wants all that a rank of another node published.
    void fetch(uint64_t ticket, uint32_t owner);
    /// A local rank's published data, as asked for by ExchangeSink::blob_wanted().
    void resolved(uint32_t owner, const std::optional<std::string>& blob);
    bool from(std::optional<NodeIndex> child, Ask message);
    bool from(std::optional<NodeIndex> child, Answer message);
    /// The bulk fetch got on: some who wait may be answered.
    void advance() override;
    void nodes_left(NodeIndex child) override;
    void lose_child(NodeIndex child) override;
    void new_parent() override;

  private:
    /// Waits for one card of one owner: a child, the parent, or a local question.
    struct Waiter {
        enum class Kind : uint8_t { parent, child, local, blob } kind = Kind::local;
        NodeIndex child = 0;
        uint64_t ticket = 0;
    };
    struct Question {
        Channel channel = Channel::cards;
        uint32_t owner = 0;
        std::string key;
        std::vector<Waiter> waiters;
        bool sent = false;
        std::optional<NodeIndex> to;  ///< where to; nothing: up
    };
    using Questions = std::map<std::string, Question>;
    /// A key of which several ranks may be the owner: they are asked one after another.
    struct Search {
        std::string key;
        std::vector<uint32_t> owners;
        size_t next = 0;
    };

    void ask(Channel channel, uint32_t owner, const std::string& key, Waiter waiter);
    void ask_next(uint64_t ticket);
    bool answer_here(Question& question);
    bool send(Question& question);
    void send_again(Questions::iterator at);
    bool leads_back(std::optional<NodeIndex> asker, const Ask& message) const;
    /// Takes the question off the list, and answers it by what is known here.
    void settle_here(Questions::iterator at);
    void settle(Question question, bool found, const std::string& value);
    void leave_out_sent(const Waiter& waiter, Answer& answer);
    void tell(const Waiter& waiter, Answer answer);
    bool hold_for_bulk();

    ExchangeState& state_;
    BulkFetch& bulk_;
    Questions questions_open_;
    std::unordered_map<uint64_t, Search> searches_;
    uint32_t questions_ = 0;        ///< passed on since the last fence
    uint64_t questions_epoch_ = 0;  ///< which that was
};

}  // namespace launch
