#include "modex/pmix/server/libpmix.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <optional>
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
std::vector<std::string> candidates() {
    const char* const given = std::getenv("LAUNCH_LIBPMIX");  // NOLINT(concurrency-mt-unsafe)
    if (given != nullptr && *given != '\0') return {given};
    return {"libpmix.so.2",
            "/usr/lib/x86_64-linux-gnu/pmix2/lib/libpmix.so.2",
            "/usr/lib/aarch64-linux-gnu/pmix2/lib/libpmix.so.2",
            "/usr/lib64/pmix/lib/libpmix.so.2",
            "/usr/local/lib/libpmix.so.2",
            "/opt/pmix/lib/libpmix.so.2"};
}

/// Reads the file before dlopen() does, which holds a lock that whoever starts a thread needs:
/// where a file server is down, this thread hangs, and no other.
void wait_for_answer(const std::string& path) {
    if (!path.starts_with('/')) return;
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    char first = 0;
    if (file && read(file.get(), &first, 1) < 0) return;  // dlopen() says why
}

std::optional<Library> open_first(const std::vector<std::string>& names, std::string& why) {
    for (const auto& name : names) {
        wait_for_answer(name);
        Library library(name);
        if (library.is_open()) return library;
        if (why.empty()) why = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc's is per thread
    }
    return std::nullopt;
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

}  // namespace

Result<std::shared_ptr<const LibPmix>> LibPmix::open() {
    std::string why;
    auto library = open_first(candidates(), why);
    if (!library) return no_library("libpmix cannot be loaded: " + why);
    auto functions = std::make_shared<LibPmix>();
    std::string missing;
#define LAUNCH_LOAD(name) \
    if (!library->load(functions->name, #name)) missing = #name;
    LAUNCH_LIBPMIX_FUNCTIONS(LAUNCH_LOAD)
#undef LAUNCH_LOAD
    if (!missing.empty()) return no_library("libpmix lacks " + missing);
    silence_libevent();
    return std::shared_ptr<const LibPmix>(std::move(functions));
}

std::string LibPmix::error_text(pmix_status_t status) const {
    return std::string(PMIx_Error_string(status)) + " (" + std::to_string(status) + ")";
}

}  // namespace launch
