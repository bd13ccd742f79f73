// SPDX-License-Identifier: MIT
#include "modex/pmi1/pmi1_front.hpp"

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"
#include "modex/pmi1/init.hpp"
#include "modex/pmi1/limits.hpp"
#include "modex/pmi1/line.hpp"

namespace launch {
namespace {

Error fault(std::string_view line, std::string_view why) {
    return pmi_error("PMI-1", line, why);
}

Error lacks(std::string_view line, std::string_view field) {
    return fault(line, ", which lacks " + std::string(field) + "=");
}

Request request_of(Request::Kind kind, std::string_view key = {}, std::string_view value = {}) {
    Request request;
    request.kind = kind;
    request.key = key;
    request.value = value;
    return request;
}

/// The command that answers a request; fields follow.
std::string_view answer_to(Request::Kind kind) {
    switch (kind) {
        case Request::Kind::put: return "cmd=put_result";
        case Request::Kind::get:
        case Request::Kind::get_of: return "cmd=get_result";
        case Request::Kind::fence: return "cmd=barrier_out";
        case Request::Kind::publish: return "cmd=publish_result";
        case Request::Kind::unpublish: return "cmd=unpublish_result";
        case Request::Kind::lookup: return "cmd=lookup_result";
        case Request::Kind::spawn: return "cmd=spawn_result";
        case Request::Kind::ask_head: return "cmd=launch_result";
        default: return "cmd=finalize_ack";
    }
}

bool of_names(Request::Kind kind) {
    return kind == Request::Kind::publish || kind == Request::Kind::unpublish ||
           kind == Request::Kind::lookup;
}

/// The most characters of a reason.
constexpr size_t longest_word = 160;

/// A word: a client stops at a blank, and at nothing after '='.
void append_word(std::string& out, std::string_view text) {
    if (text.empty()) text = "failed";
    text = text.substr(0, longest_word);
    for (const char c : text)
        out.push_back(c > ' ' && c < 0x7f && c != '=' ? c : '_');
}

/// Clients that find no codes take each process for started, and no line may be longer than theirs.
void append_spawned(std::string& out, const Reply& reply) {
    out += reply.ok ? " rc=0 jobid=" : " rc=-1 msg=";
    append_word(out, reply.value);
    std::string codes;
    for (const int code : reply.codes)
        codes += (codes.empty() ? "" : ",") + std::to_string(code);
    const bool fits = !codes.empty() && codes.size() + 200 < pmi1_client_line;
    if (fits) out += " errcodes=" + codes;
}

}  // namespace

const Pmi1Front::Command Pmi1Front::commands[] = {
    {"get", &Pmi1Front::get},
    {"put", &Pmi1Front::put},
    {"barrier_in", &Pmi1Front::barrier},
    {"init", &Pmi1Front::init},
    {"get_maxes", &Pmi1Front::get_maxes},
    {"get_appnum", &Pmi1Front::get_appnum},
    {"get_my_kvsname", &Pmi1Front::get_my_kvsname},
    {"get_universe_size", &Pmi1Front::get_universe_size},
    {"finalize", &Pmi1Front::finalize},
    {"abort", &Pmi1Front::abort},
    {"publish_name", &Pmi1Front::publish},
    {"unpublish_name", &Pmi1Front::unpublish},
    {"lookup_name", &Pmi1Front::lookup},
    {"launch_grow", &Pmi1Front::grow},
    {"launch_release", &Pmi1Front::release},
    {"launch_event", &Pmi1Front::next_event},
    {"launch_lookup", &Pmi1Front::lookup_waiting},
    {"launch_get", &Pmi1Front::get_of},
};

// Another thread of a rank that waits may abort the job.
Result<std::optional<Request>> Pmi1Front::next() {
    while (!waiting_ || unread_.view().starts_with("cmd=abort")) {
        const auto line = unread_.take_line();
        if (!line) {
            if (auto wrong = unfinished_fault()) return *wrong;
            return std::optional<Request>{};
        }
        auto request = handle(*line);
        if (!request || request->has_value()) return request;
    }
    if (unread_.too_many()) return pmi_flood("PMI-1", unread_.view());
    return std::optional<Request>{};
}

// A line that can become none is not waited for.
std::optional<Error> Pmi1Front::unfinished_fault() const {
    const std::string_view line = unread_.view();
    if (line.size() > pmi1_line_max)
        return pmi_error("PMI-1",
                         "sent a line of more than " + std::to_string(pmi1_line_max) + " bytes");
    if (spawn_) return std::nullopt;
    for (const std::string_view begin : {"cmd=", "mcmd="})
        if (line.substr(0, begin.size()) == begin.substr(0, line.size())) return std::nullopt;
    return fault(line, ", which is not PMI-1");
}

Pmi1Front::Step Pmi1Front::handle(std::string_view line) {
    if (line.size() > pmi1_line_max)
        return pmi_error("PMI-1", "sent a line of " + std::to_string(line.size()) + " bytes");
    if (line.find('\0') != std::string_view::npos) return fault(line, ", which holds a NUL byte");
    if (spawn_) return handle_spawn(line);
    const bool spawns = line == "mcmd=spawn";
    const auto name = spawns ? "spawn" : pmi1_command(line).value_or("");
    const Command* command = nullptr;
    for (const auto& known : commands)
        if (known.name == name) command = &known;
    if (command == nullptr && !spawns) return fault(line, ", which is not PMI-1");
    const bool any_time = name == "init" || name == "abort";
    // A rank may run one program after the other, each with the socket that all inherit.
    if (state_ == State::finalized && !any_time) return fault(line, " after finalize");
    if (state_ == State::fresh && !any_time) return fault(line, " before init");
    if (command != nullptr) return (this->*command->handle)(line);
    spawn_.emplace();
    return std::optional<Request>{};
}

Pmi1Front::Step Pmi1Front::handle_spawn(std::string_view line) {
    const auto whole = spawn_->add(line);
    if (!whole) return whole.error();
    if (!*whole) return std::optional<Request>{};
    auto order = spawn_->take();
    spawn_.reset();
    if (!order) return order.error();
    Request request = request_of(Request::Kind::spawn);
    request.spawn = *std::move(order);
    return ask(std::move(request));
}

Pmi1Front::Step Pmi1Front::ask(Request request) {
    request.ticket = ++last_ticket_;
    waiting_ = {request.kind, request.ticket};
    return std::optional<Request>{std::move(request)};
}

Pmi1Front::Step Pmi1Front::refuse(Request::Kind kind, std::string_view why) {
    answer(kind, {false, std::string(why)});
    return std::optional<Request>{};
}

Pmi1Front::Step Pmi1Front::init(std::string_view line) {
    const auto wanted = parse_pmi_init(line);
    if (!wanted) return wanted.error();
    const bool ok = wanted->major == pmi1_version.major;
    append_pmi_init_response(pmi1_version, ok, out_);
    if (ok) state_ = State::open;
    return std::optional<Request>{};
}

Pmi1Front::Step Pmi1Front::get_maxes(std::string_view) {
    out_ += "cmd=maxes kvsname_max=";
    append_number(out_, pmi1_kvsname_max);
    out_ += " keylen_max=";
    append_number(out_, pmi1_keylen_max);
    out_ += " vallen_max=";
    append_number(out_, pmi1_vallen_max);
    out_ += '\n';
    return std::optional<Request>{};
}

Pmi1Front::Step Pmi1Front::get_appnum(std::string_view) {
    out_ += "cmd=appnum appnum=";
    append_number(out_, facts_.appnum);
    out_ += '\n';
    return std::optional<Request>{};
}

Pmi1Front::Step Pmi1Front::get_my_kvsname(std::string_view) {
    out_ += "cmd=my_kvsname kvsname=" + facts_.kvsname + '\n';
    return std::optional<Request>{};
}

Pmi1Front::Step Pmi1Front::get_universe_size(std::string_view) {
    out_ += "cmd=universe_size size=";
    append_number(out_, facts_.universe_size);
    out_ += '\n';
    return std::optional<Request>{};
}

Pmi1Front::Step Pmi1Front::put(std::string_view line) {
    constexpr auto kind = Request::Kind::put;
    const auto kvsname = pmi1_field(line, "kvsname");
    const auto key = pmi1_field(line, "key");
    const auto value = pmi1_last_field(line, "value");
    if (!kvsname) return lacks(line, "kvsname");
    if (!key) return lacks(line, "key");
    if (!value) return lacks(line, "value");
    if (*kvsname != facts_.kvsname) return refuse(kind, "kvs_not_found");
    // After a singleton init MPICH puts what it kept until then, which may be nothing.
    if (key->empty() && value->empty()) {
        answer(kind, {});
        return std::optional<Request>{};
    }
    if (key->empty()) return refuse(kind, "key_empty");
    if (key->size() > pmi1_keylen_max) return refuse(kind, "key_too_long");
    if (value->size() > pmi1_vallen_max) return refuse(kind, "value_too_long");
    if (key->starts_with("PMI_")) return refuse(kind, "key_reserved");
    return ask(request_of(kind, *key, *value));
}

Pmi1Front::Step Pmi1Front::get(std::string_view line) {
    constexpr auto kind = Request::Kind::get;
    const auto kvsname = pmi1_field(line, "kvsname");
    const auto key = pmi1_field(line, "key");
    if (!kvsname) return lacks(line, "kvsname");
    if (!key) return lacks(line, "key");
    if (*kvsname != facts_.kvsname) return refuse(kind, "kvs_not_found");
    if (key->empty() || key->size() > pmi1_keylen_max) return refuse(kind, "key_not_found");
    if (*key != "PMI_process_mapping") return ask(request_of(kind, *key));
    // Newer clients take an empty value for a fault, all of them a missing one for "unknown".
    const auto& mapping = facts_.process_mapping;
    const bool fits = !mapping.empty() && mapping.size() <= pmi1_vallen_max;
    answer(kind, {fits, fits ? mapping : "key_not_found"});
    return std::optional<Request>{};
}

Pmi1Front::Step Pmi1Front::barrier(std::string_view line) {
    const auto group = pmi1_field(line, "group");
    if (group && *group != "WORLD")
        return fault(line, ", a barrier of a group, which PMI-1.1 lacks");
    return ask(request_of(Request::Kind::fence));
}

// A service's name may hold blanks.
Pmi1Front::Step Pmi1Front::publish(std::string_view line) {
    const auto port = pmi1_last_field(line, "port");
    if (!port) return lacks(line, "port");
    const std::string_view before = line.substr(0, line.size() - port->size() - 6);
    const auto service = pmi1_last_field(before, "service");
    if (!service) return lacks(line, "service");
    if (service->size() > pmi1_vallen_max || port->size() > pmi1_vallen_max)
        return refuse(Request::Kind::publish, "name_too_long");
    return ask(request_of(Request::Kind::publish, *service, *port));
}

Pmi1Front::Step Pmi1Front::unpublish(std::string_view line) {
    const auto service = pmi1_last_field(line, "service");
    if (!service) return lacks(line, "service");
    if (service->size() > pmi1_vallen_max) return refuse(Request::Kind::unpublish, "name_too_long");
    return ask(request_of(Request::Kind::unpublish, *service));
}

Pmi1Front::Step Pmi1Front::lookup(std::string_view line) {
    const auto service = pmi1_last_field(line, "service");
    if (!service) return lacks(line, "service");
    if (service->size() > pmi1_vallen_max) return refuse(Request::Kind::lookup, "name_too_long");
    return ask(request_of(Request::Kind::lookup, *service));
}

Pmi1Front::Step Pmi1Front::abort(std::string_view line) {
    auto request =
        request_of(Request::Kind::abort, {}, pmi1_last_field(line, "message").value_or(""));
    const auto code = pmi1_field(line, "exitcode");
    const auto number = parse_number<int32_t>(code.value_or("1"));
    if (!number) return fault(line, ", whose exitcode is not a 32-bit number");
    request.number = *number;
    request.ticket = ++last_ticket_;
    return std::optional<Request>{std::move(request)};
}

Pmi1Front::Step Pmi1Front::finalize(std::string_view) {
    state_ = State::finalized;
    return ask(request_of(Request::Kind::finalize));
}

void Pmi1Front::reply(uint64_t ticket, const Reply& reply) {
    if (!waiting_ || ticket != waiting_->ticket) return;
    answer(waiting_->kind, reply);
    waiting_.reset();
}

void Pmi1Front::answer(Request::Kind kind, const Reply& reply) {
    out_ += answer_to(kind);
    if (kind == Request::Kind::spawn) {
        append_spawned(out_, reply);
    } else if (kind == Request::Kind::ask_head) {
        answer_own(reply);
    } else if (!reply.ok) {
        out_ += of_names(kind) ? " info=failed rc=-1 msg=" : " rc=-1 msg=";
        append_word(out_, reply.value);
    } else if (kind == Request::Kind::get || kind == Request::Kind::get_of) {
        out_ += " rc=0 msg=success value=";
        out_ += reply.value;
    } else if (kind == Request::Kind::lookup) {
        out_ += " info=ok rc=0 msg=success port=";
        out_ += reply.value;
    } else if (kind == Request::Kind::put) {
        out_ += " rc=0 msg=success";
    } else if (of_names(kind)) {
        out_ += " info=ok rc=0 msg=success";
    }
    out_ += '\n';
}

}  // namespace launch
