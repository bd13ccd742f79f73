// SPDX-License-Identifier: MIT
#pragma once

namespace launch {

/// How a relay ends that was to call back (CallbackMessage) and did not, as its exit code. Of a
/// relay whose standard error goes elsewhere, as in a job of PBS, it is all that whoever started it
/// gets to know. None of them is a shell's own.
enum class CallEnd : int {
    not_told = 65,   ///< nobody said whom to call, or in words of another build
    no_file = 66,    ///< the file that says it is not seen here
    unsafe = 67,     ///< others may have written that file, or can read it
    not_asked = 68,  ///< this host is none of those that are called
    no_way = 69,     ///< nobody answers at any of the addresses
};

}  // namespace launch
