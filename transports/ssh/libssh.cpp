#include "transports/ssh/libssh.hpp"

#include <dlfcn.h>
#include <string>

namespace launch {
std::shared_ptr<const LibSsh> LibSsh::open(std::string& why) {
    // Never closed again: libcrypto leaves handlers behind that run when the process ends.
    void* library = dlopen("libssh.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) {
        why = "libssh is not installed (libssh.so.4)";
        return nullptr;
    }
    auto functions = std::make_shared<LibSsh>();
    bool complete = true;
    const auto load = [&](auto& function, const char* name) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (function != nullptr) return;
        if (complete) why = std::string("libssh lacks ") + name;
        complete = false;
    };
#define LAUNCH_LOAD(name) load(functions->name, #name);
    LAUNCH_LIBSSH_FUNCTIONS(LAUNCH_LOAD)
#undef LAUNCH_LOAD
    if (!complete) return nullptr;
    return functions;
}

}  // namespace launch
