// What a node is told of its job; see messages.hpp.

#include "core/base/codec.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/wire/contact_codec.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/run_codec.hpp"
#include "core/wire/stage_messages.hpp"

namespace launch {
namespace {

void encode_ms(Encoder& out, milliseconds value) {
    out.number(static_cast<uint64_t>(value.count()));
}

milliseconds decode_ms(Decoder& in) {
    return milliseconds{static_cast<int64_t>(in.number() & INT64_MAX)};
}

void encode_policies(Encoder& out, const Policies& p) {
    out.flag(p.label).flag(p.keep_going).flag(p.verbose).flag(p.stats);
    out.number(static_cast<uint64_t>(p.pmi)).number(static_cast<uint64_t>(p.modex));
    out.number(static_cast<uint64_t>(p.stdin_target.kind)).number(p.stdin_target.rank);
    encode_ms(out, p.kill_grace);
    encode_ms(out, p.connect_timeout);
    encode_ms(out, p.start_timeout);
    encode_ms(out, p.liveness);
    out.number(static_cast<uint64_t>(p.links.choice));
    out.number(p.links.ports.first).number(p.links.ports.last);
    out.number(static_cast<uint64_t>(p.host_loss));
    out.number(static_cast<uint64_t>(p.push));
    out.flag(p.start_early);
}

Policies decode_policies(Decoder& in) {
    Policies p;
    p.label = in.flag();
    p.keep_going = in.flag();
    p.verbose = in.flag();
    p.stats = in.flag();
    p.pmi = decode_enum(in, PmiChoice::none);
    p.modex = decode_enum(in, ModexChoice::last);
    p.stdin_target.kind = decode_enum(in, StdinTarget::Kind::rank);
    p.stdin_target.rank = in.number32();
    p.kill_grace = decode_ms(in);
    p.connect_timeout = decode_ms(in);
    p.start_timeout = decode_ms(in);
    p.liveness = decode_ms(in);
    p.links.choice = decode_enum(in, LinkChoice::direct);
    p.links.ports.first = static_cast<uint16_t>(in.number32());
    p.links.ports.last = static_cast<uint16_t>(in.number32());
    p.host_loss = decode_enum(in, HostLoss::go_on);
    p.push = decode_enum(in, PushChoice::never);
    p.start_early = in.flag();
    return p;
}

void encode_programs(Encoder& out, const std::vector<Program>& programs) {
    out.number(programs.size());
    for (const auto& p : programs)
        out.texts(p.argv).number(p.ranks).texts(p.env).text(p.wdir).number(
            p.staged ? uint64_t{*p.staged} + 1 : 0);
}

std::vector<Program> decode_programs(Decoder& in) {
    std::vector<Program> programs;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        Program p;
        p.argv = in.texts();
        p.ranks = in.number32();
        p.env = in.texts();
        p.wdir = in.text();
        const uint32_t staged = in.number32();
        if (staged > 0) p.staged = staged - 1;
        if (p.argv.empty()) in.fail();
        programs.push_back(std::move(p));
    }
    return programs;
}

void encode_transport(Encoder& out, const TransportOptions& t) {
    out.text(t.name).text(t.ssh_config);
    out.flag(t.accept_unknown_keys).flag(t.forward_agent).flag(t.verbose);
}

void encode_limits(Encoder& out, const RankLimits& limits) {
    out.number(limits.umask).number(limits.soft.size());
    for (const SoftLimit& limit : limits.soft)
        out.number(static_cast<uint64_t>(limit.resource)).number(limit.value);
}

RankLimits decode_limits(Decoder& in) {
    RankLimits limits;
    limits.umask = in.number32() & 0777;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        const auto resource = decode_enum(in, Resource::stack);
        limits.soft.push_back({resource, in.number()});
    }
    return limits;
}

TransportOptions decode_transport(Decoder& in) {
    TransportOptions t;
    t.name = in.text();
    t.ssh_config = in.text();
    t.accept_unknown_keys = in.flag();
    t.forward_agent = in.flag();
    t.verbose = in.flag();
    return t;
}

void encode_key(Encoder& out, const NodeKey& key) {
    out.text(key.key).number(key.lineage.size());
    for (const NodeRange& block : key.lineage)
        out.number(block.first).number(block.count);
}

NodeKey decode_key(Decoder& in) {
    NodeKey key;
    key.key = in.text();
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        NodeRange block;
        block.first = in.number32();
        block.count = in.number32();
        key.lineage.push_back(block);
    }
    return key;
}

}  // namespace

std::string JobMessage::encode() const {
    Encoder out;
    out.text(job_id);
    encode_programs(out, programs);
    encode_policies(out, policies);
    encode_transport(out, transport);
    encode_limits(out, limits);
    out.texts(env).text(wdir).text(launch_path).text(topology).text(routing);
    out.number(ranks).number(nodes).number(universe_size).text(process_mapping);
    out.text(hosts.first).text(hosts.list).text(node_map);
    encode_stage(out, stage);
    return out.text(log).flag(may_leave_wdir).text(link_key).take();
}

std::optional<JobMessage> JobMessage::decode(std::string_view payload) {
    Decoder in(payload);
    JobMessage job;
    job.job_id = in.text();
    job.programs = decode_programs(in);
    job.policies = decode_policies(in);
    job.transport = decode_transport(in);
    job.limits = decode_limits(in);
    job.env = in.texts();
    job.wdir = in.text();
    job.launch_path = in.text();
    job.topology = in.text();
    job.routing = in.text();
    job.ranks = in.number32();
    job.nodes = in.number32();
    job.universe_size = in.number32();
    job.process_mapping = in.text();
    job.hosts.first = in.text();
    job.hosts.list = in.text();
    job.node_map = in.text();
    job.stage = decode_stage(in);
    for (const auto& program : job.programs)
        if (program.staged && *program.staged >= job.stage.files.size()) in.fail();
    job.log = in.text();
    job.may_leave_wdir = in.flag();
    job.link_key = in.text();
    return checked(in, std::move(job));
}

std::string SubtreeMessage::encode() const {
    Encoder out;
    out.number(first).text(fold_hosts(hosts)).number(ranks.size());
    for (const auto& runs : ranks)
        encode_runs(out, runs);
    encode_contacts(out, ancestors);
    out.number(generation);
    encode_key(out, key);
    return out.take();
}

std::optional<SubtreeMessage> SubtreeMessage::decode(std::string_view payload) {
    Decoder in(payload);
    SubtreeMessage subtree;
    subtree.first = in.number32();
    // Each has a list of ranks, which takes a byte: a short message makes no millions of hosts.
    auto hosts = parse_hosts(in.text(), payload.size());
    if (!hosts) return std::nullopt;
    subtree.hosts = std::move(*hosts);
    const uint32_t count = in.count();
    if (count != subtree.hosts.size() || count == 0) return std::nullopt;
    for (uint32_t i = 0; in.ok() && i < count; ++i)
        subtree.ranks.push_back(decode_runs(in));
    subtree.ancestors = decode_contacts(in);
    subtree.generation = in.number32();
    subtree.key = decode_key(in);
    return checked(in, std::move(subtree));
}

}  // namespace launch
