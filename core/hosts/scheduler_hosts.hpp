// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/hosts/host.hpp"

namespace launch {

/// The answer of a scheduler about its job's hosts.
struct SchedulerText {
    std::string variable;  ///< which says it
    std::string text;      ///< its value, or what is in the file that it names
    std::string path;      ///< of that file; empty: it names none
    const std::vector<std::string>& env;
};

/// The hosts in that answer.
struct SchedulerHosts {
    std::vector<Host> hosts;  ///< repeats included
    std::string how;          ///< which variables said so
};

/// A mistake, and in which variable.
Error scheduler_error(const std::string& variable, const std::string& cause);

/// A host for each slot, at the beginning of a line or as a word: PBS_NODEFILE,
/// LSB_DJOB_HOSTFILE, OAR_NODEFILE; LSB_HOSTS.
Result<SchedulerHosts> read_slot_lines(const SchedulerText& text);
Result<SchedulerHosts> read_slot_words(const SchedulerText& text);

/// "hostA 4 hostB 2": LSB_MCPU_HOSTS.
Result<SchedulerHosts> read_counted_words(const SchedulerText& text);

/// "HOST SLOTS QUEUE PROCESSORS" on each line: PE_HOSTFILE. A host without a slot is left out.
Result<SchedulerHosts> read_counted_lines(const SchedulerText& text);

}  // namespace launch
