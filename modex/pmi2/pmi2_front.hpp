// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "modex/front/front.hpp"
#include "modex/front/unread_bytes.hpp"
#include "modex/pmi2/message.hpp"

namespace launch {

/// A rank that speaks PMI-2: the first line as in PMI-1, then messages with their length. Threads
/// of a rank may ask at once; each names itself (thrid) and finds its answer by that.
class Pmi2Front : public Front {
  public:
    explicit Pmi2Front(RankFacts facts) : facts_(std::move(facts)) {}

    void feed(std::string_view bytes) override { unread_.feed(bytes); }
    Result<std::optional<Request>> next() override;
    void reply(uint64_t ticket, const Reply& reply) override;
    std::string take_output() override { return std::exchange(out_, {}); }
    bool joined() const override { return state_ == State::open; }
    bool finalized() const override { return state_ == State::finalized; }

  private:
    using Step = Result<std::optional<Request>>;
    enum class State : uint8_t { fresh, greeted, open, finalized };
    struct Command {
        std::string_view name;
        Step (Pmi2Front::*handle)(const Pmi2Message& message);
    };
    static const Command commands[];
    struct Asked {
        uint64_t ticket;
        Request::Kind kind;
        std::string thread;
    };

    Result<std::optional<std::string_view>> take_message();
    Status greet(std::string_view line);
    Step handle(std::string_view body);

    Step fullinit(const Pmi2Message& message);
    Step job_getid(const Pmi2Message& message);
    Step put(const Pmi2Message& message);
    Step get(const Pmi2Message& message);
    Step fence(const Pmi2Message& message);
    Step put_node(const Pmi2Message& message);
    Step get_node(const Pmi2Message& message);
    Step get_job(const Pmi2Message& message);
    Step publish(const Pmi2Message& message);
    Step unpublish(const Pmi2Message& message);
    Step lookup(const Pmi2Message& message);
    Step abort(const Pmi2Message& message);
    Step finalize(const Pmi2Message& message);
    Step spawn(const Pmi2Message& message);
    Step not_supported(const Pmi2Message& message);

    /// Asks with the named fields of the message for key and value.
    Step ask(const Pmi2Message& message, Request request, std::string_view key = {},
             std::string_view value = {});
    /// The value of `key`, if this front knows it.
    std::optional<std::string> known(std::string_view key) const;
    /// Answers without asking anybody.
    Step tell(const Pmi2Message& message, Request::Kind kind, const Reply& reply);
    void answer(Request::Kind kind, std::string_view thread, const Reply& reply);

    RankFacts facts_;
    UnreadBytes unread_;
    std::string out_;
    State state_ = State::fresh;
    std::vector<Asked> asked_;  ///< not yet answered
    uint64_t last_ticket_ = 0;
};

/// As many threads of a rank wait at once; further ones are not read.
inline constexpr size_t pmi2_asked_max = 1024;

}  // namespace launch
