// SPDX-License-Identifier: MIT
#include "modex/pmi1/singinit.hpp"

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"
#include "modex/pmi1/line.hpp"

namespace launch {

Result<SingletonArguments> parse_pmi_args(const std::vector<std::string>& words) {
    Error error;
    error.kind = ErrorKind::usage;
    error.operation = "-pmi_args";
    error.hint = "an MPI program that runs without a launcher starts this by itself";
    error.cause = "needs a port, an interface, a key and a process id";
    if (words.size() != 4) return error;
    const auto port = parse_number<uint16_t>(words[0]);
    const auto pid = parse_number<uint32_t>(words[3]);
    const bool has_port = port && *port != 0;
    if (has_port && pid) return SingletonArguments{*port, *pid};
    error.cause = "'" + printable(words[has_port ? 3 : 0], max_quote) + "' is not a " +
                  (has_port ? "process id" : "port");
    return error;
}

Result<SingletonRequest> parse_singinit(std::string_view line) {
    if (pmi1_command(line) != "singinit") return pmi_error("PMI-1", line, " instead of singinit");
    if (pmi1_field(line, "authtype").value_or("none") != "none")
        return pmi_error("PMI-1", line, ", whose authtype is not supported");
    const auto version = parse_pmi_init(line);
    if (!version) return version.error();
    return SingletonRequest{*version, pmi1_field(line, "stdio") == "yes"};
}

std::string format_singinit() {
    return "cmd=singinit authtype=none\n";
}

std::string format_singinit_info(bool version_ok, bool stdio, std::string_view kvsname) {
    std::string line = "cmd=singinit_info versionok=";
    line += version_ok ? "yes" : "no";
    line += stdio ? " stdio=yes" : " stdio=no";
    line += " kvsname=";
    line += kvsname;
    line += '\n';
    return line;
}

}  // namespace launch
