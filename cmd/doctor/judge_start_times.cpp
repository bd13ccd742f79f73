// SPDX-License-Identifier: MIT
#include "cmd/doctor/judge_parts.hpp"

namespace launch {
namespace {

constexpr uint64_t second_us = 1'000'000;
/// Half of what --connect-timeout gives a host by default.
constexpr uint64_t slow_us = 5 * second_us;

struct SlowStage {
    Check check;
    std::string what;  ///< after "15 s "
    std::string fix;
};

SlowStage slow_stage(StartStage stage) {
    switch (stage) {
        case StartStage::dial:
            return {Check::start, "until its address answered",
                    "is the name server slow? try: getent hosts HOST"};
        case StartStage::auth:
        case StartStage::start:
            return {
                Check::login, "for the login",
                "sshd may look up a name there (UseDNS), or PAM ask a directory; try: ssh -v HOST "
                "true"};
        case StartStage::push:
            return {Check::start, "to send launch there",
                    "put the same launch at the same path on the host; then it is not sent"};
        case StartStage::client:
            return {Check::start, "until the program that starts it there had done so",
                    "try by hand what `launch --dry-run --explain` shows for the host"};
        default:
            return {
                Check::login, "from the login until launch ran",
                "do the start-up files of the login shell wait for something? try: ssh HOST true"};
    }
}

}  // namespace

void judge_start_times(const Examination& seen, Findings& found) {
    for (const auto& host : seen.hosts) {
        if (!host.is_up || host.longest_us < slow_us) continue;
        const SlowStage slow = slow_stage(host.longest);
        found.add(
            Severity::warning, slow.check, host.name,
            "the start takes " + std::to_string(host.longest_us / second_us) + " s " + slow.what,
            slow.fix);
    }
}

}  // namespace launch
