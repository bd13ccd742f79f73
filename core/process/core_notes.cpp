// SPDX-License-Identifier: MIT
#include "core/process/core_notes.hpp"

#include <cstddef>
#include <sys/procfs.h>

#include "core/process/elf_bytes.hpp"

namespace launch {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Note = ElfW(Nhdr);

/// Cut where the bytes end.
std::string_view part_of(std::string_view bytes, uint64_t at, uint64_t size) {
    return at > bytes.size() ? std::string_view() : bytes.substr(at, size);
}

uint64_t padded(uint64_t size) {
    return (size + 3) / 4 * 4;
}

std::optional<pid_t> process_in_notes(std::string_view notes) {
    while (const auto note = value_at<Note>(notes, 0)) {
        const uint64_t at = sizeof(Note) + padded(note->n_namesz);
        const auto content = part_of(notes, at, note->n_descsz);
        const auto name = part_of(notes, sizeof(Note), note->n_namesz);
        if (note->n_type == NT_PRPSINFO && name == std::string_view("CORE", 5))
            return value_at<decltype(prpsinfo_t::pr_pid)>(content, offsetof(prpsinfo_t, pr_pid));
        notes = part_of(notes, at + padded(note->n_descsz), notes.size());
    }
    return std::nullopt;
}

}  // namespace

/// The kernel puts the notes into the first segment. Other makers of core files might not.
std::optional<pid_t> process_of_core(std::string_view head) {
    const auto header = value_at<Header>(head, 0);
    if (!header || !has_own_layout(*header) || header->e_type != ET_CORE) return std::nullopt;
    const auto table = part_of(head, header->e_phoff, head.size());
    for (uint64_t i = 0; i < header->e_phnum; ++i) {
        const auto segment = value_at<Segment>(table, i * sizeof(Segment));
        if (!segment) break;
        if (segment->p_type == PT_NOTE)
            return process_in_notes(part_of(head, segment->p_offset, segment->p_filesz));
    }
    return std::nullopt;
}

}  // namespace launch
