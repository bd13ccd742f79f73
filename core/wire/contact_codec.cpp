// SPDX-License-Identifier: MIT
#include "core/wire/contact_codec.hpp"

namespace launch {

void encode_contacts(Encoder& out, const std::vector<Contact>& contacts) {
    out.number(contacts.size());
    for (const auto& contact : contacts)
        out.number(contact.node)
            .text(contact.address)
            .number(contact.port)
            .text(contact.public_key);
}

std::vector<Contact> decode_contacts(Decoder& in) {
    std::vector<Contact> contacts;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        Contact contact;
        contact.node = in.number32();
        contact.address = in.text();
        const uint32_t port = in.number32();
        if (port > UINT16_MAX) in.fail();
        contact.port = static_cast<uint16_t>(port);
        contact.public_key = in.text();
        const size_t size = contact.public_key.size();
        if (size != 0 && size != public_key_size) in.fail();
        contacts.push_back(std::move(contact));
    }
    return contacts;
}

}  // namespace launch
