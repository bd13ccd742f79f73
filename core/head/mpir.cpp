// SPDX-License-Identifier: MIT
// Compiled with debug information, by which debuggers know the types.
#include "core/head/mpir.hpp"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#ifdef __clang__
#define MPIR_IN_ORDER
#else
#define MPIR_IN_ORDER no_reorder,  // clang keeps the order by itself
#endif
#define MPIR_SHOWN __attribute__((MPIR_IN_ORDER used, visibility("default"), section("mpir")))

namespace {

/// The memory of the table: as much as it needs is used.
constexpr size_t table_room = size_t{64} << 20;
constexpr int page = 4096;  ///< where pages are larger, the table is not shared
constexpr int spawned = 1;  ///< MPIR_DEBUG_SPAWNED

}  // namespace

// The names and types of the interface. They lie alone on their pages, see share().
extern "C" {
struct MPIR_PROCDESC {
    char* host_name;
    char* executable_name;
    int pid;
};
alignas(page) MPIR_SHOWN MPIR_PROCDESC* MPIR_proctable = nullptr;
MPIR_SHOWN int MPIR_proctable_size = 0;
MPIR_SHOWN volatile int MPIR_being_debugged = 0;
MPIR_SHOWN volatile int MPIR_debug_state = 0;
MPIR_SHOWN int MPIR_i_am_starter = 0;
MPIR_SHOWN int MPIR_acquired_pre_main = 0;
MPIR_SHOWN int MPIR_partial_attach_ok = 0;
alignas(page) MPIR_SHOWN char MPIR_end_of_page = 0;

__attribute__((used, noinline, visibility("default"))) void MPIR_Breakpoint() {
    asm volatile("" ::: "memory");  // else the call could be left out
}
}

namespace launch::mpir {
namespace {

char* table = nullptr;
size_t used_of_table = 0;

/// Zeroed, and aligned for any type.
char* room(size_t bytes) {
    const size_t rounded = (bytes + 15) / 16 * 16;
    if (table == nullptr || rounded > table_room - used_of_table) return nullptr;
    return table + std::exchange(used_of_table, used_of_table + rounded);
}

char* copy_of(const std::string& text) {
    char* const place = room(text.size() + 1);
    if (place != nullptr) memcpy(place, text.c_str(), text.size() + 1);
    return place;
}

void* shared_memory(size_t bytes) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

bool is_debugged() {
    return MPIR_being_debugged != 0;
}

bool share() {
    if (table != nullptr) return true;
    char* const begin = reinterpret_cast<char*>(&MPIR_proctable);
    if (&MPIR_end_of_page < begin || sysconf(_SC_PAGESIZE) != page) return false;
    const auto size = static_cast<size_t>(&MPIR_end_of_page - begin);
    void* const variables = shared_memory(size);
    table = static_cast<char*>(shared_memory(table_room));
    if (variables == nullptr || table == nullptr) return false;
    memcpy(variables, begin, size);
    return mremap(variables, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, begin) != MAP_FAILED;
}

void show(const std::vector<Process>& processes) {
    if (table == nullptr) table = static_cast<char*>(shared_memory(table_room));
    const auto count = std::min<size_t>(processes.size(), table_room / sizeof(MPIR_PROCDESC));
    auto* const rows = reinterpret_cast<MPIR_PROCDESC*>(room(count * sizeof(MPIR_PROCDESC)));
    if (rows == nullptr) return;
    std::string last;
    for (size_t i = 0; i < count; ++i) {
        const Process& process = processes[i];
        const bool is_same = i > 0 && process.program == processes[i - 1].program;
        rows[i] = {copy_of(process.host),
                   is_same ? rows[i - 1].executable_name : copy_of(process.program), process.pid};
    }
    MPIR_proctable = rows;
    MPIR_proctable_size = static_cast<int>(count);
    MPIR_debug_state = spawned;
    MPIR_Breakpoint();
}

}  // namespace launch::mpir
