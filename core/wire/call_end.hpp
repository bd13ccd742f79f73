// SPDX-License-Identifier: MIT
#pragma once

namespace launch {

/// How a relay that had to call back (CallbackMessage) failed, as its exit code. For a relay whose
/// standard error goes elsewhere, as in a job of PBS, its starter learns nothing more. No shell
/// uses these codes itself.
enum class CallEnd : int {
    not_told = 65,   ///< the address of the head did not arrive, or in the format of another build
    no_file = 66,    ///< the file that says it is not seen here
    unsafe = 67,     ///< others may have written that file, or can read it
    not_asked = 68,  ///< this host is none of those that are called
    no_way = 69,     ///< nobody answers at any of the addresses
};

}  // namespace launch
