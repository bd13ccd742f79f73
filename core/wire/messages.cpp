#include "core/wire/messages.hpp"

#include "core/hosts/hostlist.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/contact_codec.hpp"
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

/// The enumerators run from 0 to `last`.
template <class Enum>
Enum decode_enum(Decoder& in, Enum last) {
    const uint64_t value = in.number();
    if (value > static_cast<uint64_t>(last)) in.fail();
    return static_cast<Enum>(value);
}

void encode_error(Encoder& out, const Error& error) {
    out.number(static_cast<uint64_t>(error.kind)).text(error.operation).text(error.host);
    out.number(static_cast<uint64_t>(int64_t{error.rank} + 1)).text(error.cause).text(error.hint);
}

Error decode_error(Decoder& in) {
    Error error;
    error.kind = decode_enum(in, ErrorKind::internal);
    error.operation = in.text();
    error.host = in.text();
    error.rank = static_cast<int>(in.number32()) - 1;
    error.cause = in.text();
    error.hint = in.text();
    return error;
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

TransportOptions decode_transport(Decoder& in) {
    TransportOptions t;
    t.name = in.text();
    t.ssh_config = in.text();
    t.accept_unknown_keys = in.flag();
    t.forward_agent = in.flag();
    t.verbose = in.flag();
    return t;
}

template <class Message>
std::optional<Message> checked(const Decoder& in, Message message) {
    if (!in.done()) return std::nullopt;
    return message;
}

}  // namespace

std::string Hello::encode() const {
    return Encoder{}.number(version).text(build_id).take();
}

std::optional<Hello> Hello::decode(std::string_view payload) {
    Decoder in(payload);
    Hello hello;
    hello.version = in.number32();
    hello.build_id = in.text();
    // Later versions may say more: this frame's beginning is what stays.
    if (!in.ok()) return std::nullopt;
    return hello;
}

std::string JobMessage::encode() const {
    Encoder out;
    out.text(job_id);
    encode_programs(out, programs);
    encode_policies(out, policies);
    encode_transport(out, transport);
    out.texts(env).text(wdir).text(launch_path).text(topology);
    out.number(ranks).number(nodes).number(universe_size).text(process_mapping);
    out.text(node_map);
    encode_stage(out, stage);
    return out.text(log).text(link_key).take();
}

std::optional<JobMessage> JobMessage::decode(std::string_view payload) {
    Decoder in(payload);
    JobMessage job;
    job.job_id = in.text();
    job.programs = decode_programs(in);
    job.policies = decode_policies(in);
    job.transport = decode_transport(in);
    job.env = in.texts();
    job.wdir = in.text();
    job.launch_path = in.text();
    job.topology = in.text();
    job.ranks = in.number32();
    job.nodes = in.number32();
    job.universe_size = in.number32();
    job.process_mapping = in.text();
    job.node_map = in.text();
    job.stage = decode_stage(in);
    for (const auto& program : job.programs)
        if (program.staged && *program.staged >= job.stage.files.size()) in.fail();
    job.log = in.text();
    job.link_key = in.text();
    return checked(in, std::move(job));
}

std::string SubtreeMessage::encode() const {
    Encoder out;
    out.number(first).text(fold_hosts(hosts)).number(ranks.size());
    for (const auto& runs : ranks)
        encode_runs(out, runs);
    encode_contacts(out, ancestors);
    return out.take();
}

std::optional<SubtreeMessage> SubtreeMessage::decode(std::string_view payload) {
    Decoder in(payload);
    SubtreeMessage subtree;
    subtree.first = in.number32();
    auto hosts = parse_hosts(in.text());
    if (!hosts) return std::nullopt;
    subtree.hosts = std::move(*hosts);
    const uint32_t count = in.count();
    if (count != subtree.hosts.size() || count == 0) return std::nullopt;
    for (uint32_t i = 0; in.ok() && i < count; ++i)
        subtree.ranks.push_back(decode_runs(in));
    subtree.ancestors = decode_contacts(in);
    return checked(in, std::move(subtree));
}

std::string NodesMessage::encode() const {
    Encoder out;
    out.number(nodes.size());
    for (const NodeIndex node : nodes)
        out.number(node);
    return out.take();
}

std::optional<NodesMessage> NodesMessage::decode(std::string_view payload) {
    Decoder in(payload);
    NodesMessage message;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i)
        message.nodes.push_back(in.number32());
    return checked(in, std::move(message));
}

std::string FailureMessage::encode() const {
    Encoder out;
    out.number(node).flag(was_up).number(below.size());
    for (const Range& range : below)
        out.number(range.first).number(range.count);
    encode_error(out, error);
    return out.take();
}

std::optional<FailureMessage> FailureMessage::decode(std::string_view payload) {
    Decoder in(payload);
    FailureMessage message;
    message.node = in.number32();
    message.was_up = in.flag();
    const uint32_t ranges = in.count();
    for (uint32_t i = 0; in.ok() && i < ranges; ++i) {
        FailureMessage::Range range;
        range.first = in.number32();
        range.count = in.number32();
        message.below.push_back(range);
    }
    message.error = decode_error(in);
    return checked(in, std::move(message));
}

std::string ExitsMessage::encode() const {
    Encoder out;
    out.number(exits.size());
    for (const auto& [rank, status, detail] : exits) {
        out.number(rank).number(static_cast<uint64_t>(status.kind));
        out.number(static_cast<uint64_t>(status.value));
        out.number(static_cast<uint64_t>(status.stage)).text(detail);
    }
    return out.take();
}

std::optional<ExitsMessage> ExitsMessage::decode(std::string_view payload) {
    Decoder in(payload);
    ExitsMessage message;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        RankExit exit;
        exit.rank = in.number32();
        exit.status.kind = decode_enum(in, ExitStatus::Kind::stuck);
        exit.status.value = static_cast<int32_t>(in.number32());
        exit.status.stage = decode_enum(in, ExitStatus::Stage::exec);
        exit.detail = in.text();
        message.exits.push_back(std::move(exit));
    }
    return checked(in, std::move(message));
}

std::string FaultMessage::encode() const {
    Encoder out;
    out.number(rank).number(static_cast<uint64_t>(kind)).number(static_cast<uint32_t>(value));
    return out.text(text).text(hint).take();
}

std::optional<FaultMessage> FaultMessage::decode(std::string_view payload) {
    Decoder in(payload);
    FaultMessage message;
    message.rank = in.number32();
    const uint64_t kind = in.number();
    if (kind > static_cast<uint64_t>(Kind::no_service)) in.fail();
    message.kind = static_cast<Kind>(kind);
    message.value = static_cast<int32_t>(in.number32());
    message.text = in.text();
    message.hint = in.text();
    return checked(in, std::move(message));
}

std::string NoticeMessage::encode() const {
    return Encoder{}.number(node).flag(verbose_only).text(text).take();
}

std::optional<NoticeMessage> NoticeMessage::decode(std::string_view payload) {
    Decoder in(payload);
    NoticeMessage message;
    message.node = in.number32();
    message.verbose_only = in.flag();
    message.text = in.text();
    return checked(in, std::move(message));
}

std::string OutputMessage::encode() const {
    return Encoder{}.number(rank).number(static_cast<uint64_t>(stream)).raw(bytes).take();
}

std::optional<OutputMessage> OutputMessage::decode(std::string_view payload) {
    Decoder in(payload);
    OutputMessage message;
    message.rank = in.number32();
    const uint64_t stream = in.number();
    if (stream != 1 && stream != 2) return std::nullopt;
    message.stream = static_cast<Stream>(stream);
    message.bytes = in.rest();
    return checked(in, message);
}

std::string encode_number(uint64_t value) {
    return Encoder{}.number(value).take();
}

std::optional<uint64_t> decode_number(std::string_view payload) {
    Decoder in(payload);
    const uint64_t value = in.number();
    return checked(in, value);
}

}  // namespace launch
