#pragma once

#include <cstdint>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// Which slots of a session's hosts are taken, and by whom. Sans I/O.
class SlotLedger {
  public:
    using Parts = std::vector<ReserveRequest::Part>;

    /// Node i + 1 is hosts[i]. They outlive this.
    explicit SlotLedger(const std::vector<Host>& hosts) : hosts_(hosts), used_(hosts.size(), 0) {}

    /// Whether the parts name nodes of the session, and no host gets more ranks than it has free
    /// slots. A host that nobody uses may get more: that is oversubscription, and its user's own
    /// matter.
    bool has_room(const Parts& parts) const;
    /// The nodes are those of the session.
    bool knows(const Parts& parts) const;
    void take(const Parts& parts) { count(parts, 1); }
    void give_back(const Parts& parts) { count(parts, -1); }
    uint32_t used(NodeIndex node) const { return used_[node - 1]; }

  private:
    void count(const Parts& parts, int sign);

    const std::vector<Host>& hosts_;
    std::vector<uint32_t> used_;
};

}  // namespace launch
