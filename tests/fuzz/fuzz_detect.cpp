// Programs, scripts and loader caches that look like anything. The first byte says which.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "modex/detect/ld_cache.hpp"
#include "modex/detect/pmi_needs.hpp"
#include "modex/detect/shell_words.hpp"
#include "tests/unit/modex/detect/fake_files.hpp"

namespace {

using namespace launch;

/// The same bytes as the program, as its libraries and as the loader's cache.
void look(const std::string& bytes) {
    FakeFiles files;
    files.add("/etc/ld.so.cache", bytes);
    files.add("/w/program", bytes);
    files.add("/lib64/libx.so", bytes);
    const auto needs = needs_of({"./program"}, {"PATH=/w", "LD_LIBRARY_PATH=/w"}, "/w", files);
    if (!needs.pmi && !needs.pmix) std::abort();
    if (files.opened().size() > 10'000) std::abort();
}

void split(const std::string& text) {
    for (const auto& command : shell_commands(text)) {
        if (command.empty()) std::abort();
        for (const auto& word : command)
            expand_variables(word, {"A=b", "program=/w/program"});
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 3) {
        case 0: look(bytes); break;
        case 1: split(bytes); break;
        default:
            for (const auto& file : find_in_ld_cache(bytes, "libx.so"))
                if (file.empty() || file[0] != '/') std::abort();
    }
    return 0;
}
