#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "modex/exchange/death_roll.hpp"
#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/tree_part.hpp"

namespace launch {

/// The answer to who gives up waiting for a name.
inline constexpr const char* name_timeout = "timeout";

/// The job's published names, kept at the root as is the list of the dead; other nodes pass
/// questions up and answers down. Who awaits a name is answered when it is published, or, if he
/// gives up, that it has not been: each question is answered once, by the root.
class Names : public TreePart {
  public:
    Names(ExchangeState& state, const DeathRoll& deaths) : state_(state), deaths_(deaths) {}

    void ask(NameAsk::Verb verb, uint64_t ticket, std::string name, std::string value);
    void from_child(NodeIndex child, NameAsk message);
    bool from_parent(const NameAnswer& message);
    void new_parent() override;
    void lose_child(NodeIndex child) override;

  private:
    struct Asker {
        std::optional<NodeIndex> child;  ///< nothing: a local rank
        uint64_t ticket = 0;             ///< in its own numbering
        NameAsk asked = {};              ///< as it went up
        bool gave_up = false;            ///< it waits no more, and the root has been told

        bool is(std::optional<NodeIndex> who, uint64_t its_ticket) const {
            return child == who && ticket == its_ticket;
        }
    };
    void pass_up(Asker asker, NameAsk message);
    void pass_up_given_up(uint64_t ticket, Asker& asker);
    void wait(Asker asker, NameAsk message);
    void give_up(const Asker& asker);
    void published(const std::string& name);
    void handle(Asker asker, NameAsk message);
    NameAnswer decide(const NameAsk& message);
    void answer(const Asker& asker, NameAnswer answer);

    ExchangeState& state_;
    const DeathRoll& deaths_;
    struct Published {
        std::string value;
        bool once = false;   ///< until somebody has looked it up
        bool taken = false;  ///< somebody has, and may ask again as the answer was lost
    };
    NameAnswer publish(const NameAsk& message, Published value);
    NameAnswer look_up(const NameAsk& message);
    NameAnswer unpublish(const NameAsk& message);
    /// Null: nobody has published it, or it was taken.
    Published* find(const std::string& name);

    std::map<std::string, Published> names_;
    std::multimap<std::string, Asker> waiting_;  ///< at the root, by the name that they await
    std::unordered_map<uint64_t, Asker> askers_;
    uint64_t next_ = 0;
};

}  // namespace launch
