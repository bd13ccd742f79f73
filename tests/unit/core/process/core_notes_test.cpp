// SPDX-License-Identifier: MIT
#include "core/process/core_notes.hpp"

#include <elf.h>
#include <functional>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/procfs.h>

namespace launch {
namespace {

template <class T>
std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string core_note(uint32_t type, std::string content) {
    ElfW(Nhdr) note{};
    note.n_namesz = 5;
    note.n_descsz = static_cast<uint32_t>(content.size());
    note.n_type = type;
    content.resize((content.size() + 3) / 4 * 4);
    return bytes_of(note) + std::string("CORE\0\0\0\0", 8) + content;
}

/// As the kernel writes it: notes come first, the status of a thread before the process.
struct CoreParts {
    ElfW(Ehdr) header{};
    ElfW(Phdr) load{};
    ElfW(Phdr) notes{};
    std::string content;

    CoreParts() {
        prpsinfo_t process{};
        process.pr_pid = 4711;
        content = core_note(NT_PRSTATUS, std::string(13, 'x')) +
                  core_note(NT_PRPSINFO, bytes_of(process));
        const std::string_view magic(ELFMAG, SELFMAG);
        std::copy(magic.begin(), magic.end(), header.e_ident);
        header.e_ident[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
        header.e_ident[EI_DATA] = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
        header.e_type = ET_CORE;
        header.e_phoff = sizeof header;
        header.e_phentsize = sizeof notes;
        header.e_phnum = 2;
        load.p_type = PT_LOAD;
        notes.p_type = PT_NOTE;
        notes.p_offset = sizeof header + sizeof load + sizeof notes;
        notes.p_filesz = content.size();
    }
    std::string bytes() const {
        return bytes_of(header) + bytes_of(load) + bytes_of(notes) + content + "memory";
    }
};

TEST(CoreNotes, name_the_process) {
    EXPECT_EQ(process_of_core(CoreParts().bytes()), 4711);
}

TEST(CoreNotes, a_file_that_is_no_whole_core_of_this_machine_names_nobody) {
    const struct {
        const char* name;
        std::function<void(CoreParts&)> spoil;
    } rows[] = {
        {"a program", [](CoreParts& core) { core.header.e_type = ET_EXEC; }},
        {"of another class", [](CoreParts& core) { core.header.e_ident[EI_CLASS] ^= 3; }},
        {"in another order", [](CoreParts& core) { core.header.e_ident[EI_DATA] ^= 3; }},
        {"no segments", [](CoreParts& core) { core.header.e_phnum = 0; }},
        {"segments outside", [](CoreParts& core) { core.header.e_phoff = SIZE_MAX; }},
        {"notes outside", [](CoreParts& core) { core.notes.p_offset = SIZE_MAX; }},
        {"notes cut", [](CoreParts& core) { core.notes.p_filesz -= sizeof(prpsinfo_t); }},
        {"no note", [](CoreParts& core) { core.content = core_note(NT_PRSTATUS, "x"); }},
        {"an endless note", [](CoreParts& core) { core.content[4] = core.content[7] = '\xff'; }},
        {"of another owner",
         [](CoreParts& core) {
             while (core.content.find("CORE") != std::string::npos)
                 core.content[core.content.find("CORE")] = 'c';
         }},
    };
    for (const auto& row : rows) {
        CoreParts core;
        row.spoil(core);
        EXPECT_EQ(process_of_core(core.bytes()), std::nullopt) << row.name;
    }
    const std::string whole = CoreParts().bytes();
    for (size_t size = 0; size + 120 < whole.size(); ++size)
        EXPECT_EQ(process_of_core(whole.substr(0, size)), std::nullopt) << size;
}

}  // namespace
}  // namespace launch
