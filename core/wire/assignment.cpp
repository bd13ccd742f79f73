// SPDX-License-Identifier: MIT
#include "core/wire/assignment.hpp"

#include <algorithm>
#include <numeric>

#include "core/wire/node_ranges.hpp"
#include "core/wire/run_codec.hpp"

namespace launch {
namespace {

bool before(const AssignmentMessage::Part& part, NodeIndex node) {
    return part.node < node;
}

}  // namespace

std::string JobPlacement::encode() const {
    Encoder out;
    out.number(ranks).number(nodes).number(universe_size).number(program_ranks.size());
    for (const uint32_t count : program_ranks)
        out.number(count);
    out.text(node_map).text(process_mapping).flag(may_leave_wdir);
    return out.text(hosts.first).text(hosts.list).number(rendezvous_port).take();
}

std::optional<JobPlacement> JobPlacement::decode(std::string_view payload) {
    Decoder in(payload);
    JobPlacement placement;
    placement.ranks = in.number32();
    placement.nodes = in.number32();
    placement.universe_size = in.number32();
    const uint32_t programs = in.count();
    for (uint32_t i = 0; in.ok() && i < programs; ++i)
        placement.program_ranks.push_back(in.number32());
    placement.node_map = in.text();
    placement.process_mapping = in.text();
    placement.may_leave_wdir = in.flag();
    placement.hosts.first = in.text();
    placement.hosts.list = in.text();
    const uint32_t port = in.number32();
    if (port > UINT16_MAX) in.fail();
    placement.rendezvous_port = static_cast<uint16_t>(port);
    return checked(in, std::move(placement));
}

bool JobPlacement::is_of(const JobMessage& job) const {
    const auto sum = std::accumulate(program_ranks.begin(), program_ranks.end(), uint64_t{0});
    return program_ranks.size() == job.programs.size() && sum == ranks && ranks > 0;
}

void JobPlacement::apply_to(JobMessage& job) const {
    for (size_t i = 0; i < program_ranks.size(); ++i)
        job.programs[i].ranks = program_ranks[i];
    job.ranks = ranks;
    job.nodes = nodes;
    job.universe_size = universe_size;
    job.node_map = node_map;
    job.process_mapping = process_mapping;
    job.may_leave_wdir = may_leave_wdir;
    job.hosts = hosts;
    if (rendezvous_port != 0) job.rendezvous_port = rendezvous_port;
}

bool AssignmentMessage::covers(NodeIndex node) const {
    return node >= joined || contains(nodes, node);
}

bool AssignmentMessage::is_complete() const {
    return std::all_of(parts.begin(), parts.end(),
                       [this](const Part& part) { return contains(nodes, part.node); });
}

AssignmentMessage AssignmentMessage::part_of(const std::vector<NodeRange>& wanted) const {
    AssignmentMessage part{job, {}, parts_within(nodes, wanted), joined};
    std::sort(part.nodes.begin(), part.nodes.end(),
              [](NodeRange one, NodeRange other) { return one.first < other.first; });
    for (const auto& [first, count] : part.nodes) {
        const auto begin = std::lower_bound(parts.begin(), parts.end(), first, before);
        const auto end = std::lower_bound(begin, parts.end(), first + count, before);
        part.parts.insert(part.parts.end(), begin, end);
    }
    return part;
}

AssignmentMessage AssignmentMessage::without(const AssignmentMessage& other) const {
    auto rest = nodes;
    for (const NodeRange& range : other.nodes)
        rest = parts_without(rest, range);
    return part_of(rest);
}

void AssignmentMessage::add(const AssignmentMessage& more) {
    nodes.insert(nodes.end(), more.nodes.begin(), more.nodes.end());
    const auto middle = parts.insert(parts.end(), more.parts.begin(), more.parts.end());
    std::inplace_merge(parts.begin(), middle, parts.end(),
                       [](const Part& one, const Part& other) { return one.node < other.node; });
}

const AssignmentMessage::Part* AssignmentMessage::part_at(NodeIndex node) const {
    const auto at = std::lower_bound(parts.begin(), parts.end(), node, before);
    return at != parts.end() && at->node == node ? &*at : nullptr;
}

std::string AssignmentMessage::encode() const {
    Encoder out;
    out.text(job).number(joined);
    encode_ranges(out, nodes);
    out.number(parts.size());
    for (const auto& part : parts) {
        out.number(part.node).number(index(part.host));
        encode_runs(out, part.runs);
    }
    return out.take();
}

std::string JobStart::encode() const {
    return Encoder().text(job).raw(assignment).take();
}

std::optional<JobStart> JobStart::decode(std::string_view payload) {
    Decoder in(payload);
    JobStart start;
    start.job = in.text();
    start.assignment = in.rest();
    return checked(in, start);
}

std::optional<AssignmentMessage> AssignmentMessage::decode(std::string_view payload) {
    Decoder in(payload);
    AssignmentMessage message;
    message.job = in.text();
    message.joined = in.number32();
    message.nodes = decode_ranges(in);
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        Part part;
        part.node = in.number32();
        part.host = HostRank{in.number32()};
        part.runs = decode_runs(in);
        if (i > 0 && part.node <= message.parts.back().node) in.fail();
        message.parts.push_back(std::move(part));
    }
    return checked(in, std::move(message));
}

}  // namespace launch
