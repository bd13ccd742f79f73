#include "core/node/kept_lanes.hpp"

namespace launch {

KeptCount KeptLanes::tell() {
    control.told();
    input.told();
    return received();
}

bool KeptLanes::acknowledge(const KeptCount& count) {
    const bool sent = control.acknowledge(count.control);
    return input.acknowledge(count.data) && sent;
}

void KeptLanes::say_again(FramedLink& link) const {
    for (const KeptFrames* kept : {&control, &input})
        for (const auto& frame : kept->unconfirmed())
            link.send(frame.type, frame.payload);
}

}  // namespace launch
