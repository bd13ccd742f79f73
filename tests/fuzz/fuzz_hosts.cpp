// Host lists and host files as users (and peers) may write them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "core/hosts/hostfile.hpp"
#include "core/hosts/hostlist.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace launch;
    const std::string text(reinterpret_cast<const char*>(data), size);
    // Ranges of millions are valid and slow: what is looked for here is in short lists.
    size_t digits = 0;
    for (const char c : text) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > 3) return 0;
    }
    if (std::count(text.begin(), text.end(), '[') > 2) return 0;
    const auto hosts = parse_hosts(text);
    if (hosts) {
        const auto again = parse_hosts(fold_hosts(*hosts));
        if (!again || *again != *hosts) std::abort();
        merge_hosts(*hosts);
    }
    std::istringstream file(text);
    const auto lines = parse_hostfile(file, "f");
    if (!lines && lines.error().cause.empty()) std::abort();
    return 0;
}
