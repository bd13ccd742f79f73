// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "modex/exchange/root_asker.hpp"

namespace launch {

/// The names that ranks of all jobs of a tree have published, kept once, at its root, and the
/// questions that await a name. Sans I/O: takes a question, and returns replies, also those to
/// earlier questions.
///
/// A name is known in its domain: that of all ranks, of a job, of a host, or of a rank (PMIx's
/// ranges). A lookup searches the asker's domains, the narrowest first.
class NameBoard {
  public:
    /// The names and bytes that one job may have published at a time; a job that publishes more is
    /// out of control.
    static constexpr size_t most_of_a_job = 100'000;
    static constexpr size_t most_bytes_of_a_job = 256u << 20;
    /// Bytes of names that were removed by their first reader, kept for readers that ask again.
    static constexpr size_t most_taken_bytes = 4u << 20;

    /// Takes the verbs about names, including `await` and `give_up`. `space_name`: the asker's job.
    RootReplies ask(const RootAsker& asker, const std::string& space_name, const NameAsk& message);
    /// The ranks that awaited a name there are lost: they take none away from those who live.
    void lose_child(SpaceId space, NodeIndex child);
    /// A rank has exited, and a job is over: what they published goes, unless it was to stay.
    void rank_gone(SpaceId space, uint32_t rank);
    void space_gone(SpaceId space);

    size_t size() const { return names_.size(); }
    size_t waiting() const { return waiting_.size(); }

  private:
    /// Its domain and what it is called there.
    using Name = std::pair<std::string, std::string>;
    struct Published {
        std::string value;
        SpaceId space = 0;
        uint32_t rank = NameAsk::no_rank;
        NameScope::Life life = NameScope::Life::job;
        bool once = false;   ///< until somebody has looked it up
        bool taken = false;  ///< somebody has, and may ask again as the answer was lost
    };
    using Names = std::map<Name, Published>;
    struct Count {
        size_t names = 0;
        size_t bytes = 0;
    };
    struct Waiter {
        RootAsker who;
        std::vector<std::string> domains;
        NameAsk asked;
    };
    using Waiters = std::multimap<std::string, Waiter>;

    NameAnswer publish(const RootAsker& asker, const Name& name, const NameAsk& message);
    NameAnswer look_up(const std::vector<std::string>& domains, const NameAsk& message);
    NameAnswer unpublish(const std::vector<std::string>& domains, const NameAsk& message);
    void unpublish_all(SpaceId space, const NameAsk& message);
    void answer_waiting(const std::string& name, RootReplies& replies);
    Names::iterator find(const std::vector<std::string>& domains, const std::string& name,
                         bool taken_too);
    Names::iterator erase(Names::iterator at);
    static size_t bytes_of(const Name& name, const std::string& value);
    void count_down(const Names::value_type& name);
    void take(Names::iterator at);
    void withdraw(const std::function<bool(const Published&)>& goes);

    Names names_;
    std::map<SpaceId, Count> counts_;                    ///< of each job's names that are not taken
    std::set<std::pair<SpaceId, uint32_t>> publishers_;  ///< whose names end with them
    std::deque<std::pair<Name, size_t>> taken_;          ///< with their bytes; the oldest first
    size_t taken_bytes_ = 0;
    Waiters waiting_;  ///< by the name that they await
};

}  // namespace launch
