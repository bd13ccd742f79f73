// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.hpp"
#include "modex/exchange/exchange.hpp"
#include "modex/front/names.hpp"
#include "modex/server/holdings.hpp"

namespace launch {

/// The outcome of a question.
struct DeskAnswer {
    enum class Outcome : uint8_t {
        ok,
        absent,   ///< there is no such thing, or it cannot be done to it
        refused,  ///< it was not to be asked
        late,     ///< time was up, or its asker has gone
    };
    Outcome outcome = Outcome::ok;
    std::string text;  ///< ok: the value; else why, in PMI's words
    /// Of a look-up, in the order of its names; none, where it was not asked.
    std::vector<std::optional<std::string>> names;
    /// For each process that was to be spawned: 0, or an error code if it could not be started.
    std::vector<int> codes = {};
};

/// The sender of a question: a session of a rank, or a callback of PMIx.
struct Asker {
    std::optional<uint32_t> rank;                   ///< who pays; nothing: all of the node
    const void* session = nullptr;                  ///< which one; null: a callback of PMIx
    std::function<void(DeskAnswer answer)> answer;  ///< may ask again
};

/// Reads data that ranks of this node have published through PMIx.
class BlobSource {
  public:
    virtual ~BlobSource() = default;

    /// Desk::published() is to be called when the rank has published, or never will.
    virtual void fetch(uint32_t rank) = 0;
    /// ... and soon, of what fetch() asked for.
    virtual void give_up(uint32_t rank) = 0;
};

/// All that ranks of one node and one job ask of the exchange, whatever they speak: one table of
/// questions that have no answer yet, one count of what each rank holds. Sans I/O: what happens
/// comes in, answers and questions to the exchange go out.
///
/// Each question is answered exactly once, by settle(). One whose session has gone is dropped; a
/// callback of PMIx is answered even then, as libpmix holds on to it: what its rank would wait for
/// is given up. In turn the desk gives up what other nodes want of ranks here.
class Desk {
  public:
    using Time = Clock::time_point;
    using Group = std::vector<uint32_t>;
    /// After it an event has reached all nodes that it will reach.
    static constexpr std::chrono::seconds event_time{10};

    explicit Desk(Exchange& exchange, Holdings::Load limits = Holdings::most)
        : exchange_(exchange), limits_(limits), holdings_(limits) {}
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    /// Null, as it is at first: no rank here publishes through PMIx.
    void set_source(BlobSource* source) { source_ = source; }

    /// A question that needs no other node is answered in its turn.
    void reply(Asker asker, DeskAnswer answer) {
        ready_.push_back({std::move(asker), std::move(answer)});
    }

    /// A rank puts a card, or an attribute of this node, which those have who wait for it. False:
    /// it holds too much, here and in the two below; then nothing has happened.
    bool put(uint32_t rank, std::string key, std::string value);
    bool put_attribute(uint32_t rank, const std::string& key, std::string value);
    /// Sends an event of a rank to all others. No one confirms when they have it, so it counts
    /// against the rank's limit for as long as that may take (event_time). False: the rank sends
    /// too much in that time, and nothing is sent.
    bool tell_event(uint32_t rank, const std::string& data, Time now);
    /// `once`: the first who looks a name up takes it away. False: the rank holds too much, and the
    /// question is not taken.
    bool publish(Asker asker, std::vector<NamedValue> names, bool once, NameScope scope = {});

    void unpublish(Asker asker, std::vector<std::string> names, NameScope scope = {});
    /// All that the rank has published whose names begin so, if it is nothing, too.
    void unpublish_all(Asker asker, std::string prefix);
    /// Answered when each of the names has been, since who waits may have taken one away already.
    void look_up(Asker asker, NameLookup lookup, Time now);
    void get(Asker asker, const std::string& key, int32_t owner);
    void get_attribute(Asker asker, const std::string& key, bool waits);
    void ask_dead(Asker asker);
    /// All that a rank of another node published through PMIx.
    void fetch(Asker asker, uint32_t owner);
    /// A rank wants more processes: returns the ticket for the request, which goes beside the
    /// exchange. Nothing: it asks for too much, and has got that answer.
    std::optional<uint64_t> spawn(Asker asker);
    /// Fetches data of a rank of another job of the tree.
    /// `key`: one card that it has put; empty: everything that it has published through PMIx.
    void fetch_of(Asker asker, const std::string& space, uint32_t owner,
                  const std::string& key = {});
    /// Ranks of several jobs do something together, and this node's have come to it; answered when
    /// all have (CollectiveResult), or by `why not` (CollectiveDesk). `limit`: how long that may
    /// take; 0: as long as they live.
    void collective(Asker asker, const Collective& collective, CollectivePart part,
                    std::chrono::milliseconds limit, Time now);
    /// A rank joins the fence of the key-value space. False: it is in it already.
    bool fence(Asker asker);
    /// PMIx's fences: of all ranks, or of some. The node asks, no rank of it. Refused where it has
    /// been entered already. `left`: ranks here that take no part.
    void fence_all(Asker asker, std::string blob, bool collect, const std::set<uint32_t>& left);
    void fence_group(Asker asker, const Group& group, std::string blob,
                     const std::set<uint32_t>& left);

    /// Reports of the exchange, from inside it.
    void answered(uint64_t ticket, bool found, const std::string& value);
    void fence_done(Channel channel, std::string blob);
    void group_done(const Group& group, const std::string& blob);
    void blob_wanted(uint32_t owner, Time now);

    /// The head's answer: the processes start, or do not. Once.
    void spawned(uint64_t ticket, DeskAnswer answer);

    /// The answer of the source.
    void published(uint32_t owner, const std::optional<std::string>& blob);

    void session_gone(const void* session);
    /// After its session.
    void rank_gone(uint32_t rank);
    /// When to call expire(); nothing: no question has its time.
    std::optional<Time> next_deadline() const;
    void expire(Time now);

    /// Gives the answers that there are. Not from inside the exchange.
    void settle();
    size_t open_questions() const { return questions_.size(); }

  private:
    enum class What : uint8_t {
        get,
        attribute,
        dead,
        look_up,
        publish,
        unpublish,
        unpublish_all,
        spawn,
        fetch,
        collective,
        fence,
        fence_all,
        fence_group,
        blob_of_ours,  ///< which other nodes want
    };
    enum class Stage : uint8_t {
        asking,  ///< not all of it has been asked
        waiting,
        giving_up,  ///< what is on its way already is still to come
    };
    /// One name of several.
    struct Part {
        enum class State : uint8_t { to_ask, open, found, absent };
        std::string name;
        std::string value = {};  ///< to be published
        uint64_t bytes = 0;      ///< of both
        State state = State::to_ask;
    };
    struct Question {
        What what = What::get;
        Asker asker;
        Stage stage = Stage::asking;
        std::string key = {};          ///< of an attribute; of a collective: what it is
        Group group = {};              ///< of its fence; of a blob of ours: the owner
        std::vector<Part> parts = {};  ///< of what is about names
        bool once = false;             ///< so they are published
        NameScope scope = {};          ///< of the names
        size_t wanted = 0;             ///< of the parts, if it waits; else 0
        size_t open = 0;               ///< of the parts: asked, and not answered
        size_t found = 0;
        std::optional<Time> deadline = {};
        DeskAnswer answer = {};

        size_t tickets() const { return std::max<size_t>(parts.size(), 1); }
        Holdings::Load load() const { return load_of(what, parts); }
        bool has_enough() const { return wanted > 0 && found >= wanted; }
    };
    /// The events of a rank since then.
    struct Told {
        Time since;
        uint64_t events = 0;
        uint64_t bytes = 0;
    };
    /// By the ticket of the first part; the other parts' follow.
    using Questions = std::map<uint64_t, Question>;
    struct Ready {
        Asker asker;
        DeskAnswer answer;
    };

    Questions::iterator open(What what, Asker asker, std::vector<Part> parts = {});
    Questions::iterator find(uint64_t ticket);
    Questions::iterator find_fence(What what, const Group& group);
    static std::vector<Part> parts_of(std::vector<std::string> names);
    /// The load of a name that is being published, until the outcome is known.
    static Holdings::Load load_of(What what, const std::vector<Part>& parts);
    void ask_names(Questions::iterator at, NameAsk::Verb verb);
    void note_round(const std::string& collective);
    void part_answered(Question& question, size_t number, bool found, const std::string& value);
    void hold_published(const Question& question, const Part& part);
    void let_go(const std::string& name);
    void advance(Questions::iterator at);
    void finish(Questions::iterator at, DeskAnswer answer);
    void finish_all(What what, const std::string& key, const DeskAnswer& answer);
    void drop(Questions::iterator at);
    void give_up(uint64_t number);
    void keep_time(Questions::iterator at, Time deadline);
    void keep_no_time(uint64_t number, Question& question);
    void fetch_blob(uint64_t number, uint32_t owner);
    void act(uint64_t number);

    Exchange& exchange_;
    BlobSource* source_ = nullptr;
    const Holdings::Load limits_;
    Holdings holdings_;
    std::map<uint32_t, Told> told_;                  ///< by rank
    std::map<std::string, std::string> attributes_;  ///< of this node
    std::map<std::string, uint64_t> rounds_;         ///< how often each collective has been done
    Questions questions_;
    std::set<std::pair<Time, uint64_t>> deadlines_;  ///< of those questions
    std::deque<uint64_t> to_act_on_;                 ///< of those: when the exchange rests
    std::deque<Ready> ready_;
    uint64_t next_ticket_ = 0;
    bool fenced_ = false;  ///< all ranks here have entered a fence of PMIx: had they published?
    bool settling_ = false;
};

}  // namespace launch
