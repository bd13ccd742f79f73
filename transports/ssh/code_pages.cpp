#include "transports/ssh/code_pages.hpp"

#include <array>
#include <charconv>
#include <fcntl.h>
#include <link.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

/// Less costs time, as nearly each look would release what runs already. A step maps up to 1 MB
/// more before the next look.
constexpr size_t enough = size_t{6200} * 1024;

size_t page_size() {
    return static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

/// Only parts that are never written: they can be had again from the file.
int release_code(dl_phdr_info* object, size_t, void*) {
    const uintptr_t page = page_size();
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

/// As large as can be where nobody tells. Without a C++ stream: its code would be mapped, too.
size_t resident_bytes() {
    const UniqueFd statm(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
    std::array<char, 128> bytes;
    const ssize_t n = ::read(statm.get(), bytes.data(), bytes.size());
    const std::string_view text(bytes.data(), n > 0 ? static_cast<size_t>(n) : 0);
    const size_t second = text.find(' ') + 1;  // "SIZE RESIDENT ...", in pages
    size_t pages = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + second, end, pages);
    return parsed.ec == std::errc{} ? pages * page_size() : SIZE_MAX;
}

}  // namespace

void release_code_pages() {
    dl_iterate_phdr(release_code, nullptr);
}

void limit_code_pages() {
    if (resident_bytes() > enough) release_code_pages();
}

}  // namespace launch
