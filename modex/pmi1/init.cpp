// SPDX-License-Identifier: MIT
#include "modex/pmi1/init.hpp"

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"
#include "modex/pmi1/line.hpp"

namespace launch {

Result<PmiVersion> parse_pmi_init(std::string_view line) {
    const auto major = pmi1_field(line, "pmi_version");
    const auto minor = pmi1_field(line, "pmi_subversion");
    const auto major_number = parse_number<uint32_t>(major.value_or(""));
    const auto minor_number = parse_number<uint32_t>(minor.value_or(""));
    if (!major_number || !minor_number)
        return pmi_error("PMI", line, ", which lacks a valid pmi_version or pmi_subversion");
    return PmiVersion{*major_number, *minor_number};
}

void append_pmi_init_response(PmiVersion version, bool ok, std::string& out) {
    out += "cmd=response_to_init pmi_version=";
    append_number(out, version.major);
    out += " pmi_subversion=";
    append_number(out, version.minor);
    out += ok ? " rc=0\n" : " rc=-1\n";
}

}  // namespace launch
