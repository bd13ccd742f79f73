#include "core/wire/messages.hpp"

#include "core/hosts/hostlist.hpp"
#include "core/wire/codec.hpp"

namespace launch {
namespace {

void encode_ms(Encoder& out, milliseconds value) {
    out.number(static_cast<uint64_t>(value.count()));
}

milliseconds decode_ms(Decoder& in) {
    return milliseconds{static_cast<int64_t>(in.number() & INT64_MAX)};
}

void encode_error(Encoder& out, const Error& error) {
    out.number(static_cast<uint64_t>(error.kind)).text(error.operation).text(error.host);
    out.number(static_cast<uint64_t>(int64_t{error.rank} + 1)).text(error.cause).text(error.hint);
}

Error decode_error(Decoder& in) {
    Error error;
    const uint64_t kind = in.number();
    if (kind > static_cast<uint64_t>(ErrorKind::internal)) in.fail();
    error.kind = static_cast<ErrorKind>(kind);
    error.operation = in.text();
    error.host = in.text();
    error.rank = static_cast<int>(in.number32()) - 1;
    error.cause = in.text();
    error.hint = in.text();
    return error;
}

void encode_policies(Encoder& out, const Policies& p) {
    out.flag(p.label).flag(p.keep_going).flag(p.verbose);
    out.number(static_cast<uint64_t>(p.stdin_target.kind)).number(p.stdin_target.rank);
    encode_ms(out, p.kill_grace);
    encode_ms(out, p.connect_timeout);
    encode_ms(out, p.start_timeout);
    encode_ms(out, p.liveness);
}

Policies decode_policies(Decoder& in) {
    Policies p;
    p.label = in.flag();
    p.keep_going = in.flag();
    p.verbose = in.flag();
    const uint64_t kind = in.number();
    if (kind > static_cast<uint64_t>(StdinTarget::Kind::rank)) in.fail();
    p.stdin_target.kind = static_cast<StdinTarget::Kind>(kind);
    p.stdin_target.rank = in.number32();
    p.kill_grace = decode_ms(in);
    p.connect_timeout = decode_ms(in);
    p.start_timeout = decode_ms(in);
    p.liveness = decode_ms(in);
    return p;
}

void encode_programs(Encoder& out, const std::vector<Program>& programs) {
    out.number(programs.size());
    for (const auto& p : programs)
        out.texts(p.argv).number(p.ranks).texts(p.env).text(p.wdir);
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

std::vector<RankRun> decode_runs(Decoder& in) {
    std::vector<RankRun> runs;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        RankRun run{};
        run.first = in.number32();
        run.count = in.number32();
        run.stride = in.number32();
        runs.push_back(run);
    }
    return runs;
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
    return out.number(ranks).number(nodes).text(log).take();
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
    job.log = in.text();
    return checked(in, std::move(job));
}

std::string SubtreeMessage::encode() const {
    Encoder out;
    out.number(first).text(fold_hosts(hosts)).number(ranks.size());
    for (const auto& runs : ranks) {
        out.number(runs.size());
        for (const auto& run : runs)
            out.number(run.first).number(run.count).number(run.stride);
    }
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
    out.number(node).flag(was_up).number(below);
    encode_error(out, error);
    return out.take();
}

std::optional<FailureMessage> FailureMessage::decode(std::string_view payload) {
    Decoder in(payload);
    FailureMessage message;
    message.node = in.number32();
    message.was_up = in.flag();
    message.below = in.number32();
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
        const uint64_t kind = in.number();
        exit.status.value = static_cast<int32_t>(in.number32());
        const uint64_t stage = in.number();
        exit.detail = in.text();
        if (kind > static_cast<uint64_t>(ExitStatus::Kind::stuck)) in.fail();
        if (stage > static_cast<uint64_t>(ExitStatus::Stage::exec)) in.fail();
        exit.status.kind = static_cast<ExitStatus::Kind>(kind);
        exit.status.stage = static_cast<ExitStatus::Stage>(stage);
        message.exits.push_back(std::move(exit));
    }
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
