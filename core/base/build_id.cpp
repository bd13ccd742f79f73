// SPDX-License-Identifier: MIT
#include "core/base/build_id.hpp"

#include <cstring>
#include <elf.h>
#include <link.h>

#include "core/base/hex.hpp"

namespace launch {
namespace {

size_t aligned(size_t size) {
    return (size + 3) & ~size_t{3};
}

std::string find_in_notes(const char* notes, size_t size) {
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes, sizeof note);
        const size_t name = sizeof note;
        const size_t description = name + aligned(note.n_namesz);
        const size_t end = description + aligned(note.n_descsz);
        if (end > size) return {};
        if (note.n_type == NT_GNU_BUILD_ID && std::memcmp(notes + name, "GNU", 4) == 0)
            return hex_bytes({notes + description, note.n_descsz});
        notes += end;
        size -= end;
    }
    return {};
}

int visit(dl_phdr_info* info, size_t, void* result) {
    auto& id = *static_cast<std::string*>(result);
    for (int i = 0; i < info->dlpi_phnum && id.empty(); ++i) {
        const auto& header = info->dlpi_phdr[i];
        if (header.p_type != PT_NOTE) continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
        const auto* notes = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
        id = find_in_notes(notes, header.p_memsz);
    }
    return 1;  // the first object is the executable
}

}  // namespace

std::string own_build_id() {
    std::string id;
    dl_iterate_phdr(visit, &id);
    return id.empty() ? "unknown" : id;
}

}  // namespace launch
