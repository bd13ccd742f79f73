// SPDX-License-Identifier: MIT
#include "core/wire/session_messages.hpp"

#include "core/base/codec.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/rank_list.hpp"

namespace launch {
namespace {

enum class RequestKind : uint8_t {
    reserve,
    wait,
    signal,
    log,
    detach,
    ended,
    output,
    outcome,
    survey,
    add,
    remove,
};

void encode_host(Encoder& out, const SessionHost& host) {
    out.text(to_string(host.host)).number(host.node).flag(host.up).flag(host.leaves);
    out.number(host.used).text(host.why).number(host.next_try).flag(host.is_kept);
}

SessionHost decode_host(Decoder& in) {
    SessionHost host;
    if (!read_host(in.text(), host.host).empty()) in.fail();
    host.node = in.number32();
    host.up = in.flag();
    host.leaves = in.flag();
    host.used = in.number32();
    host.why = in.text();
    host.next_try = in.number();
    host.is_kept = in.flag();
    return host;
}

void encode_hosts(Encoder& out, const std::vector<Host>& hosts) {
    out.number(hosts.size());
    for (const Host& host : hosts)
        out.text(to_string(host));
}

std::vector<Host> decode_hosts(Decoder& in) {
    std::vector<Host> hosts;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i)
        if (!read_host(in.text(), hosts.emplace_back()).empty()) in.fail();
    return hosts;
}

void encode_job(Encoder& out, const SessionJobState& job) {
    out.number(static_cast<uint32_t>(job.number)).text(job.command).number(job.ranks);
    out.number(job.nodes.size());
    for (const NodeIndex node : job.nodes)
        out.number(node);
    out.texts(job.hosts);
    out.number(job.began).number(job.client).text(job.output);
}

SessionJobState decode_job(Decoder& in) {
    SessionJobState job;
    job.number = JobNumber{in.number32()};
    job.command = in.text();
    job.ranks = in.number32();
    const uint32_t nodes = in.count();
    for (uint32_t i = 0; in.ok() && i < nodes; ++i)
        job.nodes.push_back(in.number32());
    job.hosts = in.texts();
    job.began = in.number();
    job.client = in.number32();
    job.output = in.text();
    return job;
}

class RequestEncoder {
  public:
    std::string operator()(const ReserveRequest& request) {
        begin(RequestKind::reserve).flag(request.share).number(request.parts.size());
        for (const auto& part : request.parts)
            out_.number(part.node).number(part.ranks);
        return out_.take();
    }
    std::string operator()(const WaitRequest& request) {
        begin(RequestKind::wait).number(request.wished.size());
        for (const NodeIndex node : request.wished)
            out_.number(node);
        return out_.take();
    }
    std::string operator()(const SignalRequest& request) {
        return begin(RequestKind::signal)
            .number(static_cast<uint32_t>(request.job))
            .raw(request.order.encode())
            .take();
    }
    std::string operator()(const LogRequest&) { return begin(RequestKind::log).take(); }
    std::string operator()(const DetachRequest& request) {
        return begin(RequestKind::detach)
            .number(static_cast<uint32_t>(request.job))
            .text(request.output)
            .take();
    }
    std::string operator()(const EndedRequest& request) {
        return begin(RequestKind::ended).number(static_cast<uint32_t>(request.exit_code)).take();
    }
    std::string operator()(const OutputRequest& request) {
        return begin(RequestKind::output).number(static_cast<uint32_t>(request.job)).take();
    }
    std::string operator()(const OutcomeRequest& request) {
        return begin(RequestKind::outcome).number(static_cast<uint32_t>(request.job)).take();
    }

    std::string operator()(const SurveyRequest& request) {
        return begin(RequestKind::survey)
            .number(static_cast<uint32_t>(request.job))
            .text(request.order.encode())
            .take();
    }
    std::string operator()(const AddRequest& request) {
        encode_hosts(begin(RequestKind::add).flag(request.allow_missing), request.hosts);
        return out_.take();
    }
    std::string operator()(const RemoveRequest& request) {
        begin(RequestKind::remove).number(static_cast<uint64_t>(request.when));
        encode_hosts(out_, request.hosts);
        return out_.take();
    }

  private:
    Encoder& begin(RequestKind kind) { return out_.number(static_cast<uint64_t>(kind)); }

    Encoder out_;
};

ReserveRequest decode_reserve(Decoder& in) {
    ReserveRequest request;
    request.share = in.flag();
    const uint32_t parts = in.count();
    for (uint32_t i = 0; in.ok() && i < parts; ++i) {
        ReserveRequest::Part part;
        part.node = in.number32();
        part.ranks = in.number32();
        request.parts.push_back(part);
    }
    return request;
}

SignalRequest decode_signal(Decoder& in) {
    SignalRequest request;
    request.job = JobNumber{in.number32()};
    auto order = SignalMessage::decode(in.rest());
    if (!order) in.fail();
    if (order) request.order = *std::move(order);
    return request;
}

WaitRequest decode_wait(Decoder& in) {
    WaitRequest request;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i)
        request.wished.push_back(in.number32());
    return request;
}

DetachRequest decode_detach(Decoder& in) {
    DetachRequest request;
    request.job = JobNumber{in.number32()};
    request.output = in.text();
    return request;
}

AddRequest decode_add(Decoder& in) {
    AddRequest request;
    request.allow_missing = in.flag();
    request.hosts = decode_hosts(in);
    return request;
}

RemoveRequest decode_remove(Decoder& in) {
    RemoveRequest request;
    request.when = decode_enum(in, RemoveRequest::When::now);
    request.hosts = decode_hosts(in);
    return request;
}

SurveyRequest decode_survey(Decoder& in) {
    SurveyRequest request{JobNumber{in.number32()}};
    auto order = SurveyOrder::decode(in.text());
    if (!order) in.fail();
    if (in.ok()) request.order = *std::move(order);
    return request;
}

SessionRequest decode_by_kind(RequestKind kind, Decoder& in) {
    switch (kind) {
        case RequestKind::reserve: return decode_reserve(in);
        case RequestKind::signal: return decode_signal(in);
        case RequestKind::log: return LogRequest{};
        case RequestKind::detach: return decode_detach(in);
        case RequestKind::ended: return EndedRequest{static_cast<int>(in.number32())};
        case RequestKind::output: return OutputRequest{JobNumber{in.number32()}};
        case RequestKind::outcome: return OutcomeRequest{JobNumber{in.number32()}};
        case RequestKind::survey: return decode_survey(in);
        case RequestKind::add: return decode_add(in);
        case RequestKind::remove: return decode_remove(in);
        case RequestKind::wait: break;
    }
    return decode_wait(in);
}

}  // namespace

std::string SessionState::encode() const {
    Encoder out;
    out.text(name).number(pid).number(began).text(topology).text(transport).flag(is_here);
    out.number(hosts.size());
    for (const auto& host : hosts)
        encode_host(out, host);
    out.number(jobs.size());
    for (const auto& job : jobs)
        encode_job(out, job);
    out.number(waiting);
    return out.take();
}

std::optional<SessionState> SessionState::decode(std::string_view payload) {
    Decoder in(payload);
    SessionState state;
    state.name = in.text();
    state.pid = in.number32();
    state.began = in.number();
    state.topology = in.text();
    state.transport = in.text();
    state.is_here = in.flag();
    const uint32_t hosts = in.count();
    for (uint32_t i = 0; in.ok() && i < hosts; ++i)
        state.hosts.push_back(decode_host(in));
    const uint32_t jobs = in.count();
    for (uint32_t i = 0; in.ok() && i < jobs; ++i)
        state.jobs.push_back(decode_job(in));
    state.waiting = in.number32();
    return checked(in, std::move(state));
}

std::string encode(const SessionRequest& request) {
    return std::visit(RequestEncoder{}, request);
}

std::optional<SessionRequest> decode_session_request(std::string_view payload) {
    Decoder in(payload);
    const auto kind = decode_enum(in, RequestKind::remove);
    auto request = decode_by_kind(kind, in);
    return checked(in, std::move(request));
}

std::string SessionAnswer::encode() const {
    Encoder out;
    out.number(static_cast<uint64_t>(kind)).texts(lines).number(static_cast<uint32_t>(job));
    out.number(static_cast<uint32_t>(exit_code)).text(survey.encode());
    out.number(silent.size());
    for (const NodeIndex node : silent)
        out.number(node);
    return out.take();
}

std::optional<SessionAnswer> SessionAnswer::decode(std::string_view payload) {
    Decoder in(payload);
    SessionAnswer answer;
    answer.kind = decode_enum(in, Kind::no_rank);
    answer.lines = in.texts();
    answer.job = JobNumber{in.number32()};
    answer.exit_code = static_cast<int>(in.number32());
    auto survey = SurveyMessage::decode(in.text());
    if (!survey) return std::nullopt;
    answer.survey = *std::move(survey);
    const uint32_t silent = in.count();
    for (uint32_t i = 0; in.ok() && i < silent; ++i)
        answer.silent.push_back(in.number32());
    return checked(in, std::move(answer));
}

std::optional<SessionAnswer> refuse_ranks(const std::vector<RankRun>& asked, uint32_t ranks) {
    const auto missing = first_beyond(asked, ranks);
    if (!missing) return std::nullopt;
    SessionAnswer answer;
    answer.kind = SessionAnswer::Kind::no_rank;
    answer.lines = {"no rank " + std::to_string(*missing) + "; its " +
                    (ranks == 1 ? "only rank is 0" : "ranks are 0-" + std::to_string(ranks - 1))};
    return answer;
}

std::string command_text(const std::vector<Program>& programs) {
    std::string text;
    for (const Program& program : programs) {
        if (!text.empty()) text += " :";
        for (const auto& word : program.argv)
            text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

}  // namespace launch
