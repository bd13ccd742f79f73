// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "modex/front/front.hpp"
#include "modex/front/unread_bytes.hpp"
#include "modex/pmi1/spawn.hpp"

namespace launch {

/// A rank that speaks PMI-1 (version 1.1): one line asks, one answers, never two at once.
/// limits.hpp tells what lengths it may use; longer keys and values are refused by an answer, what
/// is not the protocol by an Error.
class Pmi1Front : public Front {
  public:
    explicit Pmi1Front(RankFacts facts) : facts_(std::move(facts)) {}

    void feed(std::string_view bytes) override { unread_.feed(bytes); }
    Result<std::optional<Request>> next() override;
    void reply(uint64_t ticket, const Reply& reply) override;
    std::string take_output() override { return std::exchange(out_, {}); }
    bool joined() const override { return state_ == State::open; }
    bool finalized() const override { return state_ == State::finalized; }

  private:
    using Step = Result<std::optional<Request>>;
    enum class State : uint8_t { fresh, open, finalized };
    struct Command {
        std::string_view name;
        Step (Pmi1Front::*handle)(std::string_view line);
    };
    static const Command commands[];
    /// The request for whose answer the rank waits.
    struct Waiting {
        Request::Kind kind;
        uint64_t ticket;
    };

    std::optional<Error> unfinished_fault() const;
    Step handle(std::string_view line);
    Step handle_spawn(std::string_view line);

    Step init(std::string_view line);
    Step get_maxes(std::string_view line);
    Step get_appnum(std::string_view line);
    Step get_my_kvsname(std::string_view line);
    Step get_universe_size(std::string_view line);
    Step put(std::string_view line);
    Step get(std::string_view line);
    Step barrier(std::string_view line);
    Step publish(std::string_view line);
    Step unpublish(std::string_view line);
    Step lookup(std::string_view line);
    Step abort(std::string_view line);
    Step finalize(std::string_view line);
    /// Requests of launch's own (own_commands.cpp).
    Step grow(std::string_view line);
    Step release(std::string_view line);
    Step next_event(std::string_view line);
    Step lookup_waiting(std::string_view line);
    Step get_of(std::string_view line);
    Step ask_for_hosts(SpawnOrder::Kind kind, std::string_view line);

    Step ask(Request request);
    /// Answers without asking anybody.
    Step refuse(Request::Kind kind, std::string_view why);
    void answer(Request::Kind kind, const Reply& reply);
    void answer_own(const Reply& reply);

    RankFacts facts_;
    UnreadBytes unread_;
    std::string out_;
    State state_ = State::fresh;
    std::optional<Pmi1Spawn> spawn_;  ///< between its first and its last line
    std::optional<Waiting> waiting_;
    uint64_t last_ticket_ = 0;
};

}  // namespace launch
