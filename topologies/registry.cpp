// SPDX-License-Identifier: MIT
#include "topologies/registry.hpp"

#include <algorithm>
#include <array>

#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"
#include "topologies/auto.hpp"
#include "topologies/binomial.hpp"
#include "topologies/chain.hpp"
#include "topologies/flat.hpp"
#include "topologies/kary.hpp"

namespace launch {
namespace {

using Made = Result<std::unique_ptr<Topology>>;

constexpr std::array<TopologyInfo, 6> known{{
    {"auto", "the type and degree that a cost model finds fastest for the number of hosts"},
    {"kary", "a balanced tree of degree K: kary:K, or kary with -k K", "K"},
    {"flat", "the head starts every host itself"},
    {"binomial", "a tree of degree and depth log2 of the number of hosts"},
    {"chain", "every host starts the next one"},
    {"hypercube", "the binomial tree; large data go along all edges of the cube"},
}};

Error wrong(std::string cause, std::string hint) {
    return {.kind = ErrorKind::usage,
            .operation = "choose the topology",
            .cause = std::move(cause),
            .hint = std::move(hint)};
}

/// What a message of one line cannot show stands there as "?".
std::string quoted(std::string_view text) {
    std::string shown = "'";
    for (const char c : text)
        shown += c >= ' ' && c != 0x7f ? c : '?';
    return shown + "'";
}

Error unknown(std::string_view name) {
    std::string names;
    for (const TopologyInfo& info : known)
        append_part(names, ", ", info.name);
    return wrong("there is no topology " + quoted(name), "known: " + names);
}

/// The K of "kary:K"; 0 if it is not a degree.
uint32_t parse_degree(std::string_view text) {
    return parse_number<uint32_t>(text).value_or(0);
}

/// The user's name of a topology, parsed.
struct Asked {
    std::string_view family;
    std::string_view suffix;  ///< after the colon
    bool has_suffix;
    uint32_t degree;  ///< of -k
};

Asked take_apart(std::string_view name, uint32_t degree) {
    if (name.empty()) return {degree == 0 ? "auto" : "kary", {}, false, degree};
    const size_t colon = name.find(':');
    if (colon == std::string_view::npos) return {name, {}, false, degree};
    return {name.substr(0, colon), name.substr(colon + 1), true, degree};
}

Made make_any_kary(const Asked& asked, std::string& why) {
    uint32_t degree = asked.degree;
    if (asked.has_suffix) {
        const uint32_t named = parse_degree(asked.suffix);
        if (named == 0) {
            return wrong(quoted(asked.suffix) + " is not a degree", "use kary:K with K at least 1");
        }
        if (degree != 0 && degree != named) {
            return wrong(std::string(asked.family) + ":" + std::to_string(named) + " and degree " +
                             std::to_string(degree) + " contradict each other",
                         "give one of them");
        }
        degree = named;
    }
    why = degree == 0 ? "the default degree" : "as asked";
    return make_kary(degree == 0 ? default_degree : degree);
}

Made make_plain(std::string_view family) {
    if (family == "flat") return make_flat();
    if (family == "binomial") return make_binomial();
    if (family == "hypercube") return make_hypercube();
    return make_chain();
}

}  // namespace

std::span<const TopologyInfo> known_topologies() {
    return known;
}

Result<std::unique_ptr<Topology>> make_topology(std::string_view name, uint32_t degree,
                                                NodeIndex nodes, std::string* reason) {
    const Asked asked = take_apart(name, degree);
    const auto is_asked = [&](const TopologyInfo& info) { return info.name == asked.family; };
    if (std::none_of(known.begin(), known.end(), is_asked)) return unknown(name);

    std::string why = "as asked";
    Made made = unknown(name);
    if (asked.family == "kary") {
        made = make_any_kary(asked, why);
    } else if (asked.degree != 0 || asked.has_suffix) {
        return wrong(std::string(asked.family) + " takes no degree", "only kary does: kary:K");
    } else if (asked.family == "auto") {
        AutoChoice choice = choose_topology(nodes, CostModel{});
        if (reason != nullptr) *reason = std::move(choice.reason);
        return std::move(choice.topology);
    } else {
        made = make_plain(asked.family);
    }
    if (made && reason != nullptr) *reason = (*made)->name() + ": " + why;
    return made;
}

}  // namespace launch
