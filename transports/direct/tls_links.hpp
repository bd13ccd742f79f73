// SPDX-License-Identifier: MIT
#pragma once

#include "core/link/direct_links.hpp"

namespace launch {

/// Direct links by TCP and TLS 1.3 (transports/direct/tls.hpp), by the keys of LinkKeys. OpenSSL is
/// loaded when the first one is wanted.
///
/// What strangers can do: connect. Connections that have not proved who calls are limited in number
/// (any of them gives way) and time, and one that says nothing costs a descriptor only.
std::unique_ptr<DirectLinks> make_tls_links(any_io_executor executor, DirectLinkSettings settings,
                                            DirectLinkHandler& handler);

}  // namespace launch
