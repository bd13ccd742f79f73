// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "modex/exchange/death_roll.hpp"
#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/root_desk.hpp"
#include "modex/exchange/tree_part.hpp"

namespace launch {

/// Requests to the root: nodes forward questions up and answers down, and each question is answered
/// once. At the root, most questions go to the desk that all jobs of the tree share (RootDesk); the
/// list of the dead belongs to the job.
class Names : public TreePart, private RootSpace {
  public:
    Names(ExchangeState& state, const DeathRoll& deaths);
    ~Names() override;
    Names(const Names&) = delete;
    Names& operator=(const Names&) = delete;

    void ask(NameAsk message);
    void from_child(NodeIndex child, NameAsk message);
    bool from_parent(const NameAnswer& message);
    /// At the root: a rank of the job has exited.
    void exited(uint32_t rank);
    /// At the root: what ExchangeSink::root_wants() asked for.
    void root_has(uint64_t ticket, bool found, const std::string& value);
    void new_parent() override;
    void lose_child(NodeIndex child) override;

  private:
    struct Asker {
        std::optional<NodeIndex> child;  ///< nothing: a local rank
        uint64_t ticket = 0;             ///< in its own numbering
        NameAsk asked = {};              ///< as it went up
        bool gave_up = false;            ///< it waits no more, and the root knows that

        bool is(std::optional<NodeIndex> who, uint64_t its_ticket) const {
            return child == who && ticket == its_ticket;
        }
    };
    void pass_up(Asker asker, NameAsk message);
    void pass_up_given_up(uint64_t ticket, Asker& asker);
    void handle(const Asker& asker, NameAsk message);
    void decide(const Asker& asker, const NameAsk& message);
    NameAnswer dead() const;
    void answer(const Asker& asker, NameAnswer answer);
    void root_answers(const RootAsker& asker, NameAnswer answer) override;
    void root_fetches(uint64_t ticket, uint32_t rank, const std::string& key) override;
    bool root_knows_gone(uint32_t rank) const override { return state_.is_gone(rank); }

    ExchangeState& state_;
    const DeathRoll& deaths_;
    std::shared_ptr<RootDesk> root_;  ///< null: this node has a parent
    SpaceId space_ = 0;
    bool asking_ = false;  ///< the root: what is answered now is the answer to this job's question
    std::unordered_map<uint64_t, Asker> askers_;
    uint64_t next_ = 0;
};

}  // namespace launch
