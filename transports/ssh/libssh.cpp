#include "transports/ssh/libssh.hpp"

#include <link.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#include "transports/library.hpp"

namespace launch {
namespace {

/// Only parts that are never written: they can be had again from the file.
int release_code(dl_phdr_info* object, size_t, void*) {
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& part = object->dlpi_phdr[i];
        if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
        const uintptr_t begin = (object->dlpi_addr + part.p_vaddr) & ~(page - 1);
        const uintptr_t end = object->dlpi_addr + part.p_vaddr + part.p_memsz;
        void* const address = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr)
        madvise(address, end - begin, MADV_DONTNEED);
    }
    return 0;
}

}  // namespace

void LibSsh::release_pages() {
    dl_iterate_phdr(release_code, nullptr);
}

std::shared_ptr<const LibSsh> LibSsh::open(std::string& why) {
    Library library("libssh.so.4");
    auto functions = std::make_shared<LibSsh>();
#define LAUNCH_LOAD(name) library.load(functions->name, #name);
    LAUNCH_LIBSSH_FUNCTIONS(LAUNCH_LOAD)
#undef LAUNCH_LOAD
    why = library.why_not();
    if (!why.empty()) return nullptr;
    return functions;
}

}  // namespace launch
