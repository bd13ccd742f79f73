// SPDX-License-Identifier: MIT
#include "core/wire/route_messages.hpp"

#include <algorithm>

#include "core/base/codec.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/wire/contact_codec.hpp"

namespace launch {
namespace {

bool is_restarted(const RouteStop& stop) {
    return stop.generation > 0;
}

}  // namespace

std::string ContactsMessage::encode() const {
    Encoder out;
    encode_contacts(out, contacts);
    return out.take();
}

std::optional<ContactsMessage> ContactsMessage::decode(std::string_view payload) {
    Decoder in(payload);
    ContactsMessage message;
    message.contacts = decode_contacts(in);
    return checked(in, std::move(message));
}

std::string RoutesMessage::encode() const {
    Encoder out;
    std::vector<Contact> contacts;
    std::vector<Host> hosts;
    for (const RouteStop& stop : stops) {
        contacts.push_back(stop.contact);
        hosts.push_back({{}, stop.host, 0, 1});
    }
    out.text(fold_hosts(hosts));
    encode_contacts(out, contacts);
    const auto restarted = std::count_if(stops.begin(), stops.end(), is_restarted);
    out.number(static_cast<uint32_t>(restarted));
    for (uint32_t at = 0; at < stops.size(); ++at)
        if (is_restarted(stops[at])) out.number(at).number(stops[at].generation);
    return out.take();
}

std::optional<RoutesMessage> RoutesMessage::decode(std::string_view payload) {
    Decoder in(payload);
    const auto hosts = parse_hosts(in.text(), payload.size());  // each has a contact
    auto contacts = decode_contacts(in);
    if (!hosts || hosts->size() != contacts.size()) return std::nullopt;
    RoutesMessage message;
    for (size_t i = 0; i < contacts.size(); ++i)
        message.stops.push_back({std::move(contacts[i]), (*hosts)[i].name});
    const uint32_t restarted = in.count();
    for (uint32_t i = 0; in.ok() && i < restarted; ++i) {
        const uint32_t at = in.number32();
        const uint32_t generation = in.number32();
        if (at >= message.stops.size() || generation == 0) return std::nullopt;
        message.stops[at].generation = generation;
    }
    return checked(in, std::move(message));
}

std::string RoutedMessage::encode() const {
    return Encoder{}.number(node).number(parent).number(wanted).text(cause).take();
}

std::optional<RoutedMessage> RoutedMessage::decode(std::string_view payload) {
    Decoder in(payload);
    RoutedMessage message;
    message.node = in.number32();
    message.parent = in.number32();
    message.wanted = in.number32();
    message.cause = in.text();
    return checked(in, std::move(message));
}

}  // namespace launch
