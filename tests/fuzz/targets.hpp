// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace launch::fuzz {

/// One decoder, parser or engine, fed any bytes. What must hold, require() says; it throws, so that
/// libFuzzer reports it as the end of the process, and a unit test as a failure.
void client(std::string_view bytes);
void client_port(std::string_view bytes);
void command_line(std::string_view bytes);
void detect(std::string_view bytes);
void direct(std::string_view bytes);
void exchange(std::string_view bytes);
void facts(std::string_view bytes);
void fetched(std::string_view bytes);
void frames(std::string_view bytes);
void healing(std::string_view bytes);
void hosts(std::string_view bytes);
void job_file(std::string_view bytes);
void known_hosts(std::string_view bytes);
void node_map(std::string_view bytes);
void opening(std::string_view bytes);
void openssh(std::string_view bytes);
void pmi(std::string_view bytes);
void pmi_port(std::string_view bytes);
void pmix_event(std::string_view bytes);
void record(std::string_view bytes);
void relay(std::string_view bytes);
void ssh_config(std::string_view bytes);

struct Target {
    std::string_view name;  ///< that of its file, and of its folder below corpus/
    void (*run)(std::string_view bytes);
};
/// All of them.
std::span<const Target> targets();

inline void require(bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string("does not hold: ") + what);
}

}  // namespace launch::fuzz
