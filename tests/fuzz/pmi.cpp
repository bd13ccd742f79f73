// SPDX-License-Identifier: MIT
// A hostile rank: any bytes for the fronts of PMI-1 and PMI-2. The length tells how reads are cut.
#include <algorithm>
#include <string>
#include <string_view>

#include "modex/front/printable.hpp"
#include "modex/pmi/pmi_front.hpp"
#include "modex/pmi1/limits.hpp"
#include "modex/pmi1/singinit.hpp"
#include "modex/pmi2/message.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

void check(const Request& request) {
    require(request.key.size() <= pmi2_vallen_max, "a key that fits");
    require(request.value.size() <= pmi2_message_max, "a value that fits");
    require(request.number >= -1 || request.kind == Request::Kind::abort, "a rank, or none");
}

/// What we send is well formed, whatever we were asked.
void check_output(std::string_view out) {
    constexpr std::string_view greeting =
        "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n";
    const size_t second = out.find(greeting);
    std::string_view lines = out.substr(0, second);
    while (!lines.empty()) {
        const size_t end = lines.find('\n');
        require(lines.starts_with("cmd=") && end < pmi1_client_line, "a line that a client takes");
        lines.remove_prefix(end + 1);
    }
    if (second == std::string_view::npos) return;
    out.remove_prefix(second + greeting.size());
    while (!out.empty()) {
        const auto length = parse_pmi2_length(out.substr(0, pmi2_length_digits));
        require(length && *length <= out.size() - pmi2_length_digits, "a length");
        require(bool(Pmi2Message::parse(out.substr(pmi2_length_digits, *length))), "a message");
        out.remove_prefix(pmi2_length_digits + *length);
    }
}

void run(Front& front, std::string_view bytes) {
    const size_t step = 1 + bytes.size() % 97;
    std::string out;
    unsigned asked = 0;
    while (!bytes.empty()) {
        front.feed(bytes.substr(0, step));
        bytes.remove_prefix(std::min(step, bytes.size()));
        for (;;) {
            const auto request = front.next();
            out += front.take_output();
            if (!request) {
                require(request.error().cause.size() < 512, "a short reason");
                check_output(out);
                return;
            }
            if (!request->has_value()) break;
            check(**request);
            // A few are left without an answer, others refused.
            if (++asked % 8 != 0) front.reply((*request)->ticket, {asked % 3 != 0, "a;b=c d;"});
        }
    }
    check_output(out + front.take_output());
    require(!front.joined() || !front.finalized(), "not both");
}

}  // namespace

void fuzz::pmi(std::string_view bytes) {
    const RankFacts facts{0, 4, 0, 4, "launch-1-77", "(vector,(0,2,2))"};
    run(*make_pmi_front(facts, PmiOffer::any, 0), bytes);
    const auto rank = parse_initack(bytes);
    require(rank || !rank.error().cause.empty(), "a reason");
    const auto singleton = parse_singinit(bytes);
    require(singleton || !singleton.error().cause.empty(), "a reason");
    const std::string trace = to_trace(true, bytes);
    require(trace.size() <= 4 * max_trace + 6, "a short line");
    require(std::all_of(trace.begin(), trace.end(), [](char c) { return c >= ' ' && c < 0x7f; }),
            "that can be printed");
}

}  // namespace launch
