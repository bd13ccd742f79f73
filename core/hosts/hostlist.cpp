// SPDX-License-Identifier: MIT
#include "core/hosts/hostlist.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_set>
#include <utility>

#include "core/hosts/host_pattern.hpp"

namespace launch {
namespace {

Error list_error(std::string cause) {
    return {.kind = ErrorKind::usage,
            .operation = "read the host list",
            .host = {},
            .cause = std::move(cause),
            .hint = {}};
}

bool is_separator(char c) {
    return c == ',' || c == ' ' || (c >= '\t' && c <= '\r');
}

// Takes the next item off the text; a separator in brackets does not end it.
std::string_view next_item(std::string_view& text) {
    while (!text.empty() && is_separator(text[0])) {
        text.remove_prefix(1);
    }
    std::size_t end = 0;
    for (bool inside = false; end < text.size() && (inside || !is_separator(text[end])); ++end) {
        inside = text[end] == '[' || (inside && text[end] != ']');
    }
    std::string_view item = text.substr(0, end);
    text.remove_prefix(end);
    return item;
}

class Unfolder {
  public:
    Unfolder(const HostPattern& pattern, std::vector<Host>& hosts)
        : pattern_(pattern), hosts_(hosts) {}

    // Returns the first objection to a host, or an empty string.
    std::string run(std::size_t part = 0) {
        if (part == pattern_.size()) return read_host(text_, hosts_.emplace_back());
        std::size_t before = text_.size();
        text_.append(pattern_[part].literal);
        std::string objection =
            pattern_[part].ranges.empty() ? run(part + 1) : run_numbers(part, text_.size());
        text_.resize(before);
        return objection;
    }

  private:
    std::string run_numbers(std::size_t part, std::size_t before) {
        for (const NumberRange& range : pattern_[part].ranges) {
            for (uint64_t number = range.first; number <= range.last; ++number) {
                append_number(text_, number, range.width);
                std::string objection = run(part + 1);
                if (!objection.empty()) return objection;
                text_.resize(before);
            }
        }
        return {};
    }

    const HostPattern& pattern_;
    std::vector<Host>& hosts_;
    std::string text_;
};

void reserve_more(std::vector<Host>& hosts, std::size_t count) {
    // At least doubling: a list of a million single names must not move them a million times.
    std::size_t needed = hosts.size() + count;
    if (needed > hosts.capacity()) hosts.reserve(std::max(needed, 2 * hosts.size()));
}

std::string append_item(std::string_view item, std::size_t most, std::vector<Host>& hosts) {
    HostPattern pattern;
    std::string objection = read_pattern(item, pattern);
    if (!objection.empty()) return objection;
    uint64_t count = count_texts(pattern, most);
    if (hosts.size() + count > most) {
        return "the list names more than " + std::to_string(most) + " hosts";
    }
    reserve_more(hosts, count);
    return Unfolder(pattern, hosts).run();
}

// Hash and equality of hosts by their place in a vector, so that no name is copied into a table.
struct HashAt {
    const std::vector<Host>* hosts;
    std::size_t operator()(std::size_t i) const {
        const Host& host = (*hosts)[i];
        std::hash<std::string> hash;
        return hash(host.name) ^ (hash(host.user) * 31) ^ (std::size_t{host.port} * 0x9e3779b9);
    }
};
struct SameAt {
    const std::vector<Host>* hosts;
    bool operator()(std::size_t i, std::size_t j) const {
        const Host& a = (*hosts)[i];
        const Host& b = (*hosts)[j];
        return a.name == b.name && a.user == b.user && a.port == b.port;
    }
};

uint32_t add_slots(uint32_t a, uint32_t b) {
    return a > std::numeric_limits<uint32_t>::max() - b ? std::numeric_limits<uint32_t>::max()
                                                        : a + b;
}

}  // namespace

Result<std::vector<Host>> parse_hosts(std::string_view text, std::size_t most,
                                      std::size_t* wrong_at) {
    const char* begin = text.data();
    std::vector<Host> hosts;
    for (auto item = next_item(text); !item.empty(); item = next_item(text)) {
        std::string objection = append_item(item, most, hosts);
        if (objection.empty()) continue;
        if (wrong_at != nullptr) *wrong_at = static_cast<std::size_t>(item.data() - begin);
        return list_error(quoted(item) + ": " + objection);
    }
    if (hosts.empty()) return list_error("no host is named");
    return hosts;
}

std::vector<Host> merge_hosts(std::vector<Host> hosts) {
    std::unordered_set<std::size_t, HashAt, SameAt> seen(hosts.size(), HashAt{&hosts},
                                                         SameAt{&hosts});
    std::size_t kept = 0;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        if (i != kept) hosts[kept] = std::move(hosts[i]);
        auto [place, is_new] = seen.insert(kept);
        if (is_new) {
            ++kept;
        } else {
            hosts[*place].slots = add_slots(hosts[*place].slots, hosts[kept].slots);
        }
    }
    hosts.resize(kept);
    return hosts;
}

JointHosts join_hosts(std::vector<std::vector<Host>> lists) {
    JointHosts made;
    std::unordered_set<std::size_t, HashAt, SameAt> seen(0, HashAt{&made.hosts},
                                                         SameAt{&made.hosts});
    for (auto& list : lists) {
        auto& places = made.places.emplace_back();
        for (Host& host : list) {
            const uint32_t slots = host.slots;
            made.hosts.push_back(std::move(host));
            const auto [place, is_new] = seen.insert(made.hosts.size() - 1);
            if (!is_new) made.hosts.pop_back();
            made.hosts[*place].slots = std::max(made.hosts[*place].slots, slots);
            places.push_back(static_cast<uint32_t>(*place));
        }
    }
    return made;
}

}  // namespace launch
