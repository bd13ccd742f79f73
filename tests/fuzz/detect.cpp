// SPDX-License-Identifier: MIT
// Programs, scripts and loader caches that look like anything. The first byte says which.
#include <string>

#include "core/process/elf_loader.hpp"
#include "modex/detect/ld_cache.hpp"
#include "modex/detect/pmi_needs.hpp"
#include "modex/detect/shell_words.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/unit/modex/detect/fake_files.hpp"

namespace launch {
namespace {

using fuzz::require;

/// The same bytes as the program, as its libraries and as the loader's cache.
void look(const std::string& bytes) {
    FakeFiles files;
    files.add("/etc/ld.so.cache", bytes);
    files.add("/w/program", bytes);
    files.add("/lib64/libx.so", bytes);
    const auto needs = needs_of({"./program"}, {"PATH=/w", "LD_LIBRARY_PATH=/w"}, "/w", files);
    require(needs.pmi || needs.pmix, "something is offered");
    require(files.opened().size() <= 10'000, "a search that ends");
    require(bytes.find(loader_of(bytes)) != std::string::npos, "a name that is there");
}

void split(const std::string& text) {
    for (const auto& command : shell_commands(text)) {
        require(!command.empty(), "a command has a word");
        for (const auto& word : command)
            expand_variables(word, {"A=b", "program=/w/program"});
    }
}

}  // namespace

void fuzz::detect(std::string_view bytes) {
    if (bytes.empty()) return;
    const std::string rest(bytes.substr(1));
    switch (static_cast<unsigned char>(bytes[0]) % 3) {
        case 0: look(rest); break;
        case 1: split(rest); break;
        default:
            for (const auto& file : find_in_ld_cache(rest, "libx.so"))
                require(file.starts_with('/'), "the cache has absolute names");
    }
}

}  // namespace launch
