#pragma once

#include "core/node/framed_link.hpp"
#include "core/node/kept_frames.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// Those of one side of a link: control frames overtake standard input, so each class keeps its own
/// order.
struct KeptLanes {
    KeptFrames control;
    KeptFrames input;

    KeptCount received() const { return {control.received(), input.received()}; }
    /// The same, to be told to the other side now.
    KeptCount tell();
    size_t owed() const { return control.owed() + input.owed(); }
    /// False: more than were sent.
    bool acknowledge(const KeptCount& count);
    /// All that the other side has not confirmed, over a new link.
    void say_again(FramedLink& link) const;
};

}  // namespace launch
