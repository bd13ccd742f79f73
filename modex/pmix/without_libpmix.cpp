// SPDX-License-Identifier: MIT
// Replaces this folder in a build without libpmix's headers.
#include "modex/pmix/pmix_server.hpp"

namespace launch {

PmixLibrary libpmix() {
    PmixLibrary none;
    none.set_up_environment = [](const std::string&) {};
    none.kept_folder = [] { return std::string(); };
    none.start = [](const any_io_executor&, const PmixJob&, PmixEvents&) {
        return Error{.kind = ErrorKind::internal,
                     .operation = "offer PMIx",
                     .cause = "this build of launch has no PMIx",
                     .hint = "build launch with libpmix-dev installed, or use another --pmi"};
    };
    return none;
}

}  // namespace launch
