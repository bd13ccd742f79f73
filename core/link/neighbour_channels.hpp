// SPDX-License-Identifier: MIT
#pragma once

#include "core/link/framed_link.hpp"
#include "core/link/neighbour_channel.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// The channels of one side of a link: control frames overtake standard input, so each class keeps
/// its own order.
struct NeighbourChannels {
    NeighbourChannel control;
    NeighbourChannel input;
    /// The name of what is counted since both sides last began anew; see AttachedMessage.
    uint32_t count = 0;

    ReceivedCount received() const { return {control.received(), input.received()}; }
    /// The received numbers, which are sent to the other side now.
    ReceivedCount tell();
    size_t owed() const { return control.owed() + input.owed(); }
    /// False: more than were sent.
    bool acknowledge(const ReceivedCount& count);
    /// All that the other side has not confirmed, over a new link.
    void resend(FramedLink& link) const;
};

}  // namespace launch
