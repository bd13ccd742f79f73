// SPDX-License-Identifier: MIT
#include "modex/pmi2/pmi2_front.hpp"

#include <algorithm>

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"
#include "modex/pmi1/init.hpp"
#include "modex/pmi1/limits.hpp"
#include "modex/pmi2/spawn.hpp"

namespace launch {
namespace {

using Kind = Request::Kind;

Error fault(const Pmi2Message& message, std::string_view why) {
    return pmi_error("PMI-2", "cmd=" + std::string(message.command()), why);
}

Request of_kind(Kind kind) {
    Request request;
    request.kind = kind;
    return request;
}

std::string_view answer_to(Kind kind) {
    switch (kind) {
        case Kind::put: return "kvs-put-response";
        case Kind::get: return "kvs-get-response";
        case Kind::fence: return "kvs-fence-response";
        case Kind::put_node: return "info-putnodeattr-response";
        case Kind::get_node: return "info-getnodeattr-response";
        case Kind::get_job: return "info-getjobattr-response";
        case Kind::publish: return "name-publish-response";
        case Kind::unpublish: return "name-unpublish-response";
        case Kind::lookup: return "name-lookup-response";
        case Kind::spawn: return "spawn-response";
        default: return "finalize-response";
    }
}

/// A miss is an answer of these, and no failure.
bool may_miss(Kind kind) {
    return kind == Kind::get || kind == Kind::get_node || kind == Kind::get_job;
}

bool of_names(Kind kind) {
    return kind == Kind::publish || kind == Kind::unpublish || kind == Kind::lookup;
}

std::string thread_of(const Pmi2Message& message) {
    return message.field("thrid").value_or("");
}

void echo_thread(Pmi2Writer& writer, std::string_view thread) {
    if (!thread.empty()) writer.field("thrid", thread);
}

/// In words of Hydra, which tells of no error by its process, and of Slurm, which does.
void write_spawned(Pmi2Writer& writer, const Reply& reply) {
    if (reply.ok) writer.field("jobid", reply.value).number("nerrs", 0);
    std::string codes;
    for (const int code : reply.codes)
        codes += (codes.empty() ? "" : ",") + std::to_string(code);
    if (!codes.empty() && codes.size() <= pmi2_vallen_max) writer.field("errcodes", codes);
}

/// Why not, of a request; empty: it may pass.
std::string_view refusal(const Request& request) {
    const size_t key_max = of_names(request.kind) ? pmi2_vallen_max : pmi2_keylen_max;
    if (request.key.size() > key_max) return "key_too_long";
    if (request.value.size() > pmi2_vallen_max) return "value_too_long";
    if (request.kind != Kind::put) return {};
    if (request.key.empty()) return "key_empty";
    return request.key.starts_with("PMI_") ? "key_reserved" : "";
}

}  // namespace

const Pmi2Front::Command Pmi2Front::commands[] = {
    {"kvs-get", &Pmi2Front::get},
    {"kvs-put", &Pmi2Front::put},
    {"kvs-fence", &Pmi2Front::fence},
    {"fullinit", &Pmi2Front::fullinit},
    {"job-getid", &Pmi2Front::job_getid},
    {"info-putnodeattr", &Pmi2Front::put_node},
    {"info-getnodeattr", &Pmi2Front::get_node},
    {"info-getjobattr", &Pmi2Front::get_job},
    {"name-publish", &Pmi2Front::publish},
    {"name-unpublish", &Pmi2Front::unpublish},
    {"name-lookup", &Pmi2Front::lookup},
    {"abort", &Pmi2Front::abort},
    {"finalize", &Pmi2Front::finalize},
    {"spawn", &Pmi2Front::spawn},
    {"job-connect", &Pmi2Front::not_supported},
    {"job-disconnect", &Pmi2Front::not_supported},
    {"ring", &Pmi2Front::not_supported},
};

Result<std::optional<Request>> Pmi2Front::next() {
    if (state_ == State::fresh) {
        const auto line = unread_.take_line();
        if (!line && unread_.view().size() > pmi1_client_line)
            return pmi_error("PMI-2", unread_.view(), ", which is not an init");
        if (!line) return std::optional<Request>{};
        if (const auto greeted = greet(*line); !greeted) return greeted.error();
    }
    while (asked_.size() < pmi2_asked_max) {
        const auto body = take_message();
        if (!body) return body.error();
        if (!body->has_value()) return std::optional<Request>{};
        auto request = handle(**body);
        if (!request || request->has_value()) return request;
    }
    if (unread_.too_many()) return pmi_flood("PMI-2", unread_.view());
    return std::optional<Request>{};
}

Status Pmi2Front::greet(std::string_view line) {
    if (!line.starts_with("cmd=init ")) return pmi_error("PMI-2", line, " before init");
    const auto wanted = parse_pmi_init(line);
    if (!wanted) return wanted.error();
    const bool ok = wanted->major == pmi2_version.major;
    append_pmi_init_response(pmi2_version, ok, out_);
    if (ok) state_ = State::greeted;
    return Ok{};
}

Result<std::optional<std::string_view>> Pmi2Front::take_message() {
    const std::string_view bytes = unread_.view();
    if (state_ == State::fresh || bytes.size() < pmi2_length_digits)
        return std::optional<std::string_view>{};
    const auto length = parse_pmi2_length(bytes.substr(0, pmi2_length_digits));
    if (!length)
        return pmi_error("PMI-2", bytes, ", which does not begin with the length of a message");
    const size_t whole = pmi2_length_digits + *length;
    if (bytes.size() < whole) return std::optional<std::string_view>{};
    unread_.consume(whole);
    return std::optional{bytes.substr(pmi2_length_digits, *length)};
}

Pmi2Front::Step Pmi2Front::handle(std::string_view body) {
    const auto message = Pmi2Message::parse(body);
    if (!message) return message.error();
    const auto command = std::find_if(std::begin(commands), std::end(commands),
                                      [&](const auto& c) { return c.name == message->command(); });
    if (command == std::end(commands)) return fault(*message, ", which is not PMI-2");
    if (message->raw_field("thrid").value_or("").size() > pmi2_keylen_max)
        return fault(*message, ", whose thrid is too long");
    const bool any_time = command->name == "abort";
    if (state_ == State::finalized && !any_time) return fault(*message, " after finalize");
    if (state_ == State::greeted && !any_time && command->name != "fullinit")
        return fault(*message, " before fullinit");
    return (this->*command->handle)(*message);
}

Pmi2Front::Step Pmi2Front::ask(const Pmi2Message& message, Request request, std::string_view key,
                               std::string_view value) {
    for (const auto& [name, into] : {std::pair{key, &request.key}, {value, &request.value}}) {
        if (name.empty()) continue;
        auto field = message.field(name);
        if (!field) return fault(message, ", which lacks " + std::string(name) + "=");
        *into = std::move(*field);
    }
    if (const auto why = refusal(request); !why.empty())
        return tell(message, request.kind, {false, std::string(why)});
    request.ticket = ++last_ticket_;
    asked_.push_back({request.ticket, request.kind, thread_of(message)});
    return std::optional<Request>{std::move(request)};
}

Pmi2Front::Step Pmi2Front::tell(const Pmi2Message& message, Kind kind, const Reply& reply) {
    answer(kind, thread_of(message), reply);
    return std::optional<Request>{};
}

Pmi2Front::Step Pmi2Front::fullinit(const Pmi2Message& message) {
    Pmi2Writer writer(out_, "fullinit-response");
    echo_thread(writer, thread_of(message));
    writer.number("rc", 0)
        .number("pmi-version", pmi2_version.major)
        .number("pmi-subversion", pmi2_version.minor)
        .number("rank", facts_.rank)
        .number("size", facts_.size)
        .number("appnum", facts_.appnum)
        .field("debugged", "FALSE")
        .field("pmiverbose", "FALSE");
    if (!facts_.spawner.empty()) writer.field("spawner-jobid", facts_.spawner);
    writer.finish();
    state_ = State::open;
    return std::optional<Request>{};
}

Pmi2Front::Step Pmi2Front::job_getid(const Pmi2Message& message) {
    Pmi2Writer writer(out_, "job-getid-response");
    echo_thread(writer, thread_of(message));
    writer.number("rc", 0).field("jobid", facts_.kvsname).finish();
    return std::optional<Request>{};
}

Pmi2Front::Step Pmi2Front::put(const Pmi2Message& message) {
    return ask(message, of_kind(Kind::put), "key", "value");
}

Pmi2Front::Step Pmi2Front::get(const Pmi2Message& message) {
    const std::string_view job = message.raw_field("jobid").value_or("");
    if (!job.empty() && job != facts_.kvsname) return tell(message, Kind::get, {false, ""});
    const std::string_view key = message.raw_field("key").value_or("");
    if (const auto value = known(key)) return tell(message, Kind::get, {true, *value});
    auto request = of_kind(Kind::get);
    if (const auto source = message.raw_field("srcid")) {
        const auto rank = parse_number<int32_t>(*source);
        if (!rank) return fault(message, ", whose srcid is not a 32-bit number");
        // A hint only: clients that do not know send -1.
        if (*rank >= 0 && static_cast<uint32_t>(*rank) < facts_.size) request.number = *rank;
    }
    return ask(message, std::move(request), "key");
}

Pmi2Front::Step Pmi2Front::fence(const Pmi2Message& message) {
    return ask(message, of_kind(Kind::fence));
}

Pmi2Front::Step Pmi2Front::put_node(const Pmi2Message& message) {
    return ask(message, of_kind(Kind::put_node), "key", "value");
}

Pmi2Front::Step Pmi2Front::get_node(const Pmi2Message& message) {
    auto request = of_kind(Kind::get_node);
    request.wait = message.raw_field("wait") == "TRUE";
    return ask(message, std::move(request), "key");
}

Pmi2Front::Step Pmi2Front::get_job(const Pmi2Message& message) {
    const std::string_view key = message.raw_field("key").value_or("");
    if (const auto value = known(key)) return tell(message, Kind::get_job, {true, *value});
    return ask(message, of_kind(Kind::get_job), "key");
}

std::optional<std::string> Pmi2Front::known(std::string_view key) const {
    if (key == "universeSize") return std::to_string(facts_.universe_size);
    const auto& mapping = facts_.process_mapping;
    if (key == "PMI_process_mapping" && !mapping.empty() && mapping.size() <= pmi2_vallen_max)
        return mapping;
    return std::nullopt;
}

Pmi2Front::Step Pmi2Front::publish(const Pmi2Message& message) {
    return ask(message, of_kind(Kind::publish), "name", "port");
}

Pmi2Front::Step Pmi2Front::unpublish(const Pmi2Message& message) {
    return ask(message, of_kind(Kind::unpublish), "name");
}

Pmi2Front::Step Pmi2Front::lookup(const Pmi2Message& message) {
    return ask(message, of_kind(Kind::lookup), "name");
}

// The old clients send no code, the new ones no isworld; a rank that aborts only itself leaves the
// job without finalize all the same.
Pmi2Front::Step Pmi2Front::abort(const Pmi2Message& message) {
    auto request = of_kind(Kind::abort);
    const auto code = parse_number<int32_t>(message.raw_field("exitcode").value_or("1"));
    if (!code) return fault(message, ", whose exitcode is not a 32-bit number");
    request.number = *code;
    auto text = message.field("message");
    if (!text) text = message.field("msg");
    request.value = text.value_or("");
    request.ticket = ++last_ticket_;
    return std::optional<Request>{std::move(request)};
}

Pmi2Front::Step Pmi2Front::finalize(const Pmi2Message& message) {
    state_ = State::finalized;
    return ask(message, of_kind(Kind::finalize));
}

Pmi2Front::Step Pmi2Front::spawn(const Pmi2Message& message) {
    auto order = pmi2_spawn(message);
    if (!order) return fault(message, order.error().cause);
    auto request = of_kind(Kind::spawn);
    request.spawn = *std::move(order);
    return ask(message, std::move(request));
}

Pmi2Front::Step Pmi2Front::not_supported(const Pmi2Message& message) {
    Pmi2Writer writer(out_, message.command(), "-response");
    echo_thread(writer, thread_of(message));
    writer.number("rc", -1).field("errmsg", "not_supported").finish();
    return std::optional<Request>{};
}

void Pmi2Front::reply(uint64_t ticket, const Reply& reply) {
    const auto asked = std::find_if(asked_.begin(), asked_.end(),
                                    [&](const Asked& a) { return a.ticket == ticket; });
    if (asked == asked_.end()) return;
    answer(asked->kind, asked->thread, reply);
    asked_.erase(asked);
}

void Pmi2Front::answer(Kind kind, std::string_view thread, const Reply& reply) {
    Pmi2Writer writer(out_, answer_to(kind));
    echo_thread(writer, thread);
    const bool missed = !reply.ok && may_miss(kind);
    writer.number("rc", reply.ok || missed ? 0 : -1);
    if (may_miss(kind)) writer.field("found", reply.ok ? "TRUE" : "FALSE");
    if (may_miss(kind) && reply.ok) writer.field("value", reply.value);
    if (kind == Kind::spawn) write_spawned(writer, reply);
    // Old clients look for the one, new ones for the other.
    if (kind == Kind::lookup && reply.ok)
        writer.field("value", reply.value).field("port", reply.value);
    if (!reply.ok && !missed)
        writer.field("errmsg", reply.value.empty() ? "failed" : std::string_view(reply.value));
    writer.finish();
}

}  // namespace launch
