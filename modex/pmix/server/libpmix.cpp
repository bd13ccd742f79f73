// SPDX-License-Identifier: MIT
#include "modex/pmix/server/libpmix.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "core/base/fd.hpp"
#include "core/base/library.hpp"

namespace launch {
namespace {

constexpr const char* hint =
    "install libpmix2 on this host, name the library in LAUNCH_LIBPMIX, or use another --pmi";

/// All releases since 3.0 have this soname. Debian registers it with the loader by a link; other
/// systems keep it in a folder of its own.
std::vector<std::string> candidates(const std::string& preferred) {
    const char* const given = std::getenv("LAUNCH_LIBPMIX");  // NOLINT(concurrency-mt-unsafe)
    if (given != nullptr && *given != '\0') return {given};
    std::vector<std::string> files{"libpmix.so.2",
                                   "/usr/lib/x86_64-linux-gnu/pmix2/lib/libpmix.so.2",
                                   "/usr/lib/aarch64-linux-gnu/pmix2/lib/libpmix.so.2",
                                   "/usr/lib64/pmix/lib/libpmix.so.2",
                                   "/usr/local/lib/libpmix.so.2",
                                   "/opt/pmix/lib/libpmix.so.2"};
    if (!preferred.empty()) files.insert(files.begin(), preferred);
    return files;
}

/// Reads the file before dlopen() does, which holds a lock that whoever starts a thread needs:
/// where a file server is down, this thread hangs, and no other.
void wait_for_answer(const std::string& path) {
    if (!path.starts_with('/')) return;
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    char first = 0;
    if (file && read(file.get(), &first, 1) < 0) return;  // dlopen() says why
}

/// Frees the value; deeper nested data stays allocated.
void destruct_simple(pmix_value_t* value) {
    // NOLINTBEGIN(cppcoreguidelines-no-malloc): libpmix allocated it
    if (value->type == PMIX_STRING) std::free(value->data.string);
    if (value->type == PMIX_BYTE_OBJECT) std::free(value->data.bo.bytes);
    // NOLINTEND(cppcoreguidelines-no-malloc)
}

/// libevent, which libpmix stands on, complains on standard error when a rank is killed while an
/// answer is on its way to it. Nobody can do anything about that.
void silence_libevent() {
    void* const libevent = dlopen("libevent_core-2.1.so.7", RTLD_LAZY | RTLD_NOLOAD);
    if (libevent == nullptr) return;
    using Log = void (*)(int severity, const char* message);
    const auto set_log = reinterpret_cast<void (*)(Log)>(dlsym(libevent, "event_set_log_callback"));
    if (set_log != nullptr) set_log([](int, const char*) {});
}

Error no_library(std::string cause) {
    return {.kind = ErrorKind::internal,
            .operation = "offer PMIx",
            .cause = std::move(cause),
            .hint = hint};
}

Result<std::shared_ptr<const LibPmix>> load(const std::string& file) {
    wait_for_answer(file);
    Library library(file);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's is per thread
    if (!library.is_open())
        return no_library("libpmix cannot be loaded: " + std::string(dlerror()));
    auto functions = std::make_shared<LibPmix>();
    std::string missing;
#define LAUNCH_LOAD(name) \
    if (!library.load(functions->name, #name)) missing = #name;
    LAUNCH_LIBPMIX_FUNCTIONS(LAUNCH_LOAD)
#undef LAUNCH_LOAD
    if (!missing.empty()) {
        // While it is loaded, the loader takes it for every other file of the same soname.
        library.discard();
        return no_library(file + " is not libpmix 3.2 or newer: it lacks " + missing);
    }
    if (!library.load(functions->PMIx_Value_destruct, "PMIx_Value_destruct"))
        functions->PMIx_Value_destruct = destruct_simple;
    return std::shared_ptr<const LibPmix>(std::move(functions));
}

}  // namespace

Result<std::shared_ptr<const LibPmix>> LibPmix::open(const std::string& preferred) {
    std::optional<Error> first;
    for (const auto& file : candidates(preferred)) {
        auto lib = load(file);
        if (lib) {
            silence_libevent();
            return lib;
        }
        if (!first) first = std::move(lib.error());
    }
    return *std::move(first);
}

/// As in "OpenPMIx 4.2.2 (PMIx Standard: 4.1, ...)".
int LibPmix::release() const {
    const char* const text = PMIx_Get_version();
    const std::string_view version = text == nullptr ? "" : text;
    const auto digits = std::min(version.find_first_of("0123456789"), version.size());
    int number = 0;
    std::from_chars(version.data() + digits, version.data() + version.size(), number);
    return number;
}

std::string LibPmix::error_text(pmix_status_t status) const {
    return std::string(PMIx_Error_string(status)) + " (" + std::to_string(status) + ")";
}

}  // namespace launch
