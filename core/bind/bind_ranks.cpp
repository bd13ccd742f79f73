// SPDX-License-Identifier: MIT
#include "core/bind/bind_ranks.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/base/counted.hpp"

namespace launch {
namespace {

using How = BindChoice::How;
using Parts = Machine::Parts;

std::string name_of(MachinePart part) {
    return std::string(machine_part_names.at(static_cast<std::size_t>(part)));
}

/// "4 cores", "2 numa nodes".
std::string counted_parts(std::size_t count, MachinePart part) {
    const bool cache =
        part == MachinePart::l1 || part == MachinePart::l2 || part == MachinePart::l3;
    return counted(count, name_of(part) + (cache                       ? " cache"
                                           : part == MachinePart::numa ? " node"
                                                                       : ""));
}

Error cannot_bind(std::string cause, std::string hint) {
    Error error;
    error.kind = ErrorKind::usage;
    error.operation = "bind ranks";
    error.cause = std::move(cause);
    error.hint = std::move(hint);
    return error;
}

Error no_such_part(MachinePart part) {
    return cannot_bind("hwloc reports no " + name_of(part) + " on this machine",
                       "name another part in --bind, -map-by or --rank-by, or use --bind none");
}

CpuSet union_of(const Parts& parts, std::size_t first, std::size_t count) {
    CpuSet cpus;
    for (std::size_t i = first; i < first + count; ++i)
        cpus |= parts[i];
    return cpus;
}

/// Joins the first `count` parts to one, then the next ones, and so on. A rest that is too small is
/// no part.
Parts neighbours_joined(const Parts& parts, std::size_t count) {
    Parts groups;
    for (std::size_t i = 0; i + count <= parts.size(); i += count)
        groups.push_back(union_of(parts, i, count));
    return groups;
}

/// "a socket", "the part of 2 sockets".
std::string where_of(const PartMap& map) {
    if (map.joined == 1) return "a " + name_of(*map.part);
    return "a group of " + counted_parts(map.joined, *map.part);
}

/// The CPU sets to which ranks are bound inside one part of the machine, one after the other.
Parts targets_in(const CpuSet& area, const Parts& parts, uint32_t count) {
    Parts inside;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(inside),
                 [&](const CpuSet& part) { return part.is_within(area); });
    if (inside.empty() && count == 1) {
        // If the parts are larger than the area, the parts that contain it are taken.
        std::copy_if(parts.begin(), parts.end(), std::back_inserter(inside),
                     [&](const CpuSet& part) { return part.meets(area); });
        inside.resize(std::min<std::size_t>(inside.size(), 1));
    }
    return neighbours_joined(inside, count);
}

/// Deals ranks to the parts of one machine.
class PartDealer {
  public:
    PartDealer(const Machine& machine, const PlaceChoice& choice, BindChoice bind, uint32_t ranks)
        : machine_(machine), choice_(choice), bind_(std::move(bind)), ranks_(ranks) {}

    Result<Parts> deal() {
        parts_ = machine_.usable_parts(bind_.part);
        if (parts_.empty()) return no_such_part(bind_.part);
        if (parts_.size() < bind_.count) return too_few(parts_.size(), "");
        auto places = choice_.map.part && !is_own_part() ? by_areas() : in_order();
        if (!places) return places;
        auto fits = check_load(*places);
        if (!fits) return std::move(fits.error());
        return numbered(*std::move(places));
    }

  private:
    /// --map-by core with --bind core is the order of the cores. Not for ppr, nor for core:2.
    bool is_own_part() const {
        const PartMap& map = choice_.map;
        return *map.part == bind_.part && map.in_each == 0 && map.joined == 1;
    }

    Error too_few(std::size_t there, const std::string& where) const {
        return cannot_bind("each rank needs " + counted_parts(bind_.count, bind_.part) + ", but " +
                               (where.empty() ? "the machine" : where) + " has " +
                               std::to_string(there),
                           "ask for fewer in --bind or :PE=, or use --bind none");
    }

    Parts in_order() const {
        const Parts targets = targets_in(machine_.usable, parts_, bind_.count);
        Parts places;
        for (uint32_t i = 0; i < ranks_; ++i)
            places.push_back(targets[i % targets.size()]);
        return places;
    }

    Result<Parts> by_areas() const {
        const MachinePart part = *choice_.map.part;
        const Parts single = machine_.usable_parts(part);
        if (single.empty()) return no_such_part(part);
        const Parts areas = neighbours_joined(single, choice_.map.joined);
        if (areas.empty())
            return cannot_bind("-map-by asks for groups of " +
                                   counted_parts(choice_.map.joined, part) +
                                   ", but the machine has " + std::to_string(single.size()),
                               "ask for smaller groups in -map-by");
        const uint32_t each = choice_.map.in_each;
        if (each > 0 && ranks_ > areas.size() * each)
            return cannot_bind("-map-by places " + counted(each, "rank") + " on each of " +
                                   counted_parts(areas.size(), part) + ", but this host has " +
                                   counted(ranks_, "rank"),
                               "try -ppn " + std::to_string(areas.size() * each));
        std::vector<Parts> targets;
        for (const CpuSet& area : areas) {
            targets.push_back(targets_in(area, parts_, bind_.count));
            if (targets.back().empty())
                return too_few((targets_in(area, parts_, 1)).size(), where_of(choice_.map));
        }
        Parts places;
        std::vector<std::size_t> used(areas.size());
        for (uint32_t i = 0; i < ranks_; ++i) {
            const std::size_t area = each > 0 ? i / each : i % areas.size();
            const Parts& there = targets[area];
            places.push_back(there[used[area]++ % there.size()]);
        }
        return places;
    }

    /// Checks that no more ranks than cores are bound to the same cores. A request for N cores, or
    /// N hardware threads, for each rank gives them to that rank alone.
    Status check_load(const Parts& places) const {
        if (bind_.overload) return Ok{};
        const bool threads = bind_.part == MachinePart::hwthread;
        const MachinePart unit = threads ? MachinePart::hwthread : MachinePart::core;
        const Parts units = machine_.usable_parts(unit);
        const std::size_t needed = bind_.part == unit ? bind_.count : 1;
        std::map<std::vector<uint32_t>, uint32_t> load;
        for (const CpuSet& place : places)
            ++load[place.list()];
        for (const CpuSet& place : places) {
            const auto room = std::count_if(units.begin(), units.end(),
                                            [&](const CpuSet& one) { return one.meets(place); });
            if (static_cast<std::size_t>(room) < load[place.list()] * needed)
                return overload(units.size());
        }
        return Ok{};
    }

    Error overload(std::size_t units) const {
        const bool threads = bind_.part == MachinePart::hwthread;
        std::string each;
        std::string asked = name_of(bind_.part);
        if (bind_.count > 1) {
            each = " with " + counted_parts(bind_.count, bind_.part) + " each";
            asked += ":" + std::to_string(bind_.count);
        }
        return cannot_bind(
            "only " + counted_parts(units, threads ? MachinePart::hwthread : MachinePart::core) +
                (units == 1 ? " is" : " are") + " available for " + counted(ranks_, "rank") + each,
            "start fewer ranks, or use --bind none or --bind " + asked + ":overload");
    }

    /// Numbers the places over the parts of --rank-by in turn. Places outside all of them count as
    /// one more part: a core without an L3 cache, on a processor whose others have one.
    Result<Parts> numbered(Parts places) const {
        if (!choice_.rank_by) return places;
        const Parts areas = machine_.usable_parts(*choice_.rank_by);
        if (areas.empty()) return no_such_part(*choice_.rank_by);
        const std::size_t count = places.size();
        std::vector<Parts> of_area(areas.size() + 1);
        for (CpuSet& place : places) {
            const auto area = std::find_if(areas.begin(), areas.end(),
                                           [&](const CpuSet& one) { return one.meets(place); });
            of_area[static_cast<std::size_t>(area - areas.begin())].push_back(std::move(place));
        }
        Parts order;
        for (std::size_t round = 0; order.size() < count; ++round)
            for (Parts& those : of_area)
                if (round < those.size()) order.push_back(std::move(those[round]));
        return order;
    }

    const Machine& machine_;
    const PlaceChoice& choice_;
    const BindChoice bind_;
    const uint32_t ranks_;
    Parts parts_;
};

Result<Parts> listed(const Machine& machine, const BindChoice& bind, uint32_t ranks) {
    Parts places;
    for (uint32_t i = 0; i < ranks; ++i) {
        const CpuSet& wanted = bind.lists[i % bind.lists.size()];
        if (!wanted.is_within(machine.usable))
            return cannot_bind("--bind asks for CPUs " + to_string(wanted) + ", but only CPUs " +
                                   to_string(machine.usable) + " may be used",
                               "name other CPUs, or use --bind none");
        places.push_back(wanted);
    }
    return places;
}

}  // namespace

BindChoice resolved_bind(const PlaceChoice& choice) {
    BindChoice bind = choice.bind;
    if (choice.map.cores > 0 && bind.how != How::none && bind.how != How::listed) {
        const bool threads = bind.how == How::part && bind.part == MachinePart::hwthread;
        bind.how = How::part;
        bind.part = threads ? MachinePart::hwthread : MachinePart::core;
        bind.count = choice.map.cores;
    } else if (bind.how == How::automatic && choice.map.part) {
        bind.how = How::part;
        bind.part = *choice.map.part;
        bind.count = choice.map.joined;
    }
    return bind;
}

bool may_bind(const PlaceChoice& choice, uint32_t ranks, std::size_t cpus) {
    const BindChoice bind = resolved_bind(choice);
    if (bind.how == How::automatic) return ranks > 1 && ranks <= cpus;
    return bind.how != How::none;
}

Result<std::vector<CpuSet>> bind_ranks(const Machine& machine, const PlaceChoice& choice,
                                       uint32_t ranks) {
    BindChoice bind = resolved_bind(choice);
    const bool is_asked = bind.how != How::automatic;
    const bool fits = machine.usable_parts(MachinePart::core).size() >= ranks;
    if (bind.how == How::none || (!is_asked && (ranks <= 1 || !fits)))
        return std::vector<CpuSet>(ranks);
    if (bind.how == How::listed) return listed(machine, bind, ranks);
    bind.how = How::part;
    auto places = PartDealer(machine, choice, bind, ranks).deal();
    if (!places && !is_asked && !choice.rank_by) return std::vector<CpuSet>(ranks);
    return places;
}

}  // namespace launch
