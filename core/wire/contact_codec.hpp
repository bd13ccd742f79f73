#pragma once

#include <vector>

#include "core/link/contact.hpp"
#include "core/wire/codec.hpp"

namespace launch {

void encode_contacts(Encoder& out, const std::vector<Contact>& contacts);
std::vector<Contact> decode_contacts(Decoder& in);

}  // namespace launch
