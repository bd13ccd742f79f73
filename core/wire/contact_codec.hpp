// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/base/codec.hpp"
#include "core/wire/contact.hpp"

namespace launch {

void encode_contacts(Encoder& out, const std::vector<Contact>& contacts);
std::vector<Contact> decode_contacts(Decoder& in);

}  // namespace launch
