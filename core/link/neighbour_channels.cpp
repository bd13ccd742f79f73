// SPDX-License-Identifier: MIT
#include "core/link/neighbour_channels.hpp"

namespace launch {

ReceivedCount NeighbourChannels::tell() {
    control.told();
    input.told();
    return received();
}

bool NeighbourChannels::acknowledge(const ReceivedCount& count) {
    const bool sent = control.acknowledge(count.control);
    return input.acknowledge(count.data) && sent;
}

void NeighbourChannels::resend(FramedLink& link) const {
    for (const NeighbourChannel* kept : {&control, &input})
        for (const auto& frame : kept->unacknowledged().entries())
            link.send(frame.type, frame.payload);
}

}  // namespace launch
