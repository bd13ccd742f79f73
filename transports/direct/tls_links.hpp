// SPDX-License-Identifier: MIT
#pragma once

#include "core/link/direct_links.hpp"

namespace launch {

/// Direct links by TCP and TLS 1.3 (transports/direct/tls.hpp), with the keys of LinkKeys. OpenSSL
/// is loaded when the first link is wanted.
///
/// Strangers can only connect. Connections without a proven caller are limited in number (any of
/// them gives way) and time, and a silent one costs only a descriptor.
std::unique_ptr<DirectLinks> make_tls_links(any_io_executor executor, DirectLinkSettings settings,
                                            DirectLinkHandler& handler);

}  // namespace launch
