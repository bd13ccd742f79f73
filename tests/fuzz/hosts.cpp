// Host lists and host files as users (and peers) may write them.
#include <algorithm>
#include <sstream>
#include <string>

#include "core/hosts/hostfile.hpp"
#include "core/hosts/hostlist.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {

void fuzz::hosts(std::string_view bytes) {
    const std::string text(bytes);
    // Ranges of millions are valid and slow: what is looked for here is in short lists.
    size_t digits = 0;
    for (const char c : text) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > 3) return;
    }
    if (std::count(text.begin(), text.end(), '[') > 2) return;
    const auto hosts = parse_hosts(text);
    if (hosts) {
        const auto again = parse_hosts(fold_hosts(*hosts));
        fuzz::require(again && *again == *hosts, "unfolds to what was folded");
        merge_hosts(*hosts);
    }
    std::istringstream file(text);
    const auto lines = parse_hostfile(file, "f");
    fuzz::require(lines || !lines.error().cause.empty(), "a reason");
}

}  // namespace launch
