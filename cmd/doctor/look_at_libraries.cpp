// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string_view>

#include "cmd/doctor/ask_within.hpp"
#include "cmd/doctor/look_at_host.hpp"
#include "core/base/library.hpp"
#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"

namespace launch {
namespace {

constexpr std::chrono::milliseconds library_limit{3000};

/// More than any of them says: MPICH's MPI_MAX_LIBRARY_VERSION_STRING is 8192.
using Buffer = std::array<char, 16384>;

std::string line_of(std::string_view text) {
    return std::string(text.substr(0, text.find('\n')));
}

/// MPI_Get_library_version may be called before MPI_Init (MPI 3.0, 8.1.1).
std::string ask_mpi(const char* file) {
    int (*version)(char*, int*) = nullptr;
    Library library(file);
    if (!library.load(version, "MPI_Get_library_version")) return {};
    Buffer text{};
    int length = 0;
    return version(text.data(), &length) == 0 ? line_of(text.data()) : "";
}

std::string ask_pmix(const char* file) {
    const char* (*version)() = nullptr;
    Library library(file);
    if (!library.load(version, "PMIx_Get_version")) return {};
    const char* text = version();
    return text == nullptr ? "" : line_of(text);
}

/// Each in a process of its own: two MPI libraries have functions of the same names.
void add(std::vector<LibraryFact>& facts, std::string (*ask)(const char*), const char* file) {
    const auto answer = ask_within(library_limit, [&](const Send& send) { send(ask(file)); });
    if (answer.text.empty()) return;
    LibraryFact fact = library_of(answer.text);
    if (std::find(facts.begin(), facts.end(), fact) == facts.end())
        facts.push_back(std::move(fact));
}

}  // namespace

/// The version is the first word that begins with a digit, perhaps after a v; what stands before
/// it, without the word "Version", is the name.
LibraryFact library_of(const std::string& said) {
    LibraryFact fact;
    std::string line = said;
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\t' || c == ','; }, ' ');
    for (auto word : split(line, ' ')) {
        while (word.ends_with(':'))
            word.remove_suffix(1);
        const auto digits = word.starts_with('v') ? word.substr(1) : word;
        if (!digits.empty() && is_digit(digits[0])) {
            fact.version = digits;
            break;
        }
        if (!word.empty() && word != "Version" && word != "Library")
            append_part(fact.name, " ", word);
    }
    if (fact.name == "OpenPMIx") fact.name = "PMIx";
    if (fact.version.empty()) fact.version = "unknown";
    return fact;
}

std::vector<LibraryFact> look_at_libraries() {
    std::vector<LibraryFact> facts;
    // Open MPI's since 2.0; MPICH's, as Debian and as MPICH itself name it, and that of its kin.
    for (const char* file : {"libmpi.so.40", "libmpich.so.12", "libmpi.so.12"})
        add(facts, ask_mpi, file);
    add(facts, ask_pmix, "libpmix.so.2");
    return facts;
}

}  // namespace launch
