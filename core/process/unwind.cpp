// SPDX-License-Identifier: MIT
#include "core/process/unwind.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cxxabi.h>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <system_error>

#include "core/base/base_name.hpp"
#include "core/base/fd.hpp"
#include "core/base/library.hpp"

namespace launch {
namespace {

constexpr size_t most_frames = 256;
constexpr size_t longest_function = 300;

// The part of elfutils' libdwfl.h that is used here.
extern "C" {
struct Dwfl;
struct Dwfl_Module;
struct Dwfl_Thread;
struct Dwfl_Frame;
struct Elf;
struct Dwfl_Callbacks {
    void* find_elf;
    void* find_debuginfo;
    void* section_address;
    char** debuginfo_path;
};
using FrameCallback = int (*)(Dwfl_Frame*, void*);
using ThreadCallback = int (*)(Dwfl_Thread*, void*);
}

constexpr int go_on = 0;  ///< DWARF_CB_OK
constexpr int stop = 1;   ///< DWARF_CB_ABORT

/// Separate files of debug information are not searched for: functions have names without them, and
/// the search may ask servers.
int find_no_debuginfo(Dwfl_Module*, void**, const char*, uint64_t, const char*, const char*,
                      uint32_t, char**) {
    return -1;
}

struct Libdw {
    Library library{"libdw.so.1"};
    Dwfl* (*begin)(const Dwfl_Callbacks*) = nullptr;
    void (*end)(Dwfl*) = nullptr;
    int (*report)(Dwfl*, pid_t) = nullptr;
    int (*report_end)(Dwfl*, void*, void*) = nullptr;
    int (*attach)(Dwfl*, pid_t, bool) = nullptr;
    int (*frames)(Dwfl*, pid_t, FrameCallback, void*) = nullptr;
    bool (*frame_pc)(Dwfl_Frame*, uint64_t*, bool*) = nullptr;
    Dwfl_Module* (*module_at)(Dwfl*, uint64_t) = nullptr;
    const char* (*name_at)(Dwfl_Module*, uint64_t) = nullptr;
    const char* (*module_info)(Dwfl_Module*, void***, uint64_t*, uint64_t*, uint64_t*, uint64_t*,
                               const char**, const char**) = nullptr;
    int (*last_error)() = nullptr;
    const char* (*error_text)(int) = nullptr;
    Dwfl_Callbacks callbacks{};

    Libdw() {
        library.load(begin, "dwfl_begin");
        library.load(end, "dwfl_end");
        library.load(report, "dwfl_linux_proc_report");
        library.load(report_end, "dwfl_report_end");
        library.load(attach, "dwfl_linux_proc_attach");
        library.load(frames, "dwfl_getthread_frames");
        library.load(frame_pc, "dwfl_frame_pc");
        library.load(module_at, "dwfl_addrmodule");
        library.load(name_at, "dwfl_module_addrname");
        library.load(module_info, "dwfl_module_info");
        library.load(last_error, "dwfl_errno");
        library.load(error_text, "dwfl_errmsg");
        library.load(callbacks.find_elf, "dwfl_linux_proc_find_elf");
        callbacks.find_debuginfo = reinterpret_cast<void*>(&find_no_debuginfo);
    }
};

/// The further part that reads core files, with libelf, on which libdw stands.
struct LibdwForCores {
    Library dw{"libdw.so.1"};
    Library elf{"libelf.so.1"};
    unsigned (*elf_version)(unsigned) = nullptr;
    Elf* (*elf_begin)(int, int, Elf*) = nullptr;
    int (*elf_end)(Elf*) = nullptr;
    int (*report)(Dwfl*, Elf*, const char*) = nullptr;
    int (*attach)(Dwfl*, Elf*) = nullptr;
    int (*threads)(Dwfl*, ThreadCallback, void*) = nullptr;
    int (*frames)(Dwfl_Thread*, FrameCallback, void*) = nullptr;
    Dwfl_Callbacks callbacks{};

    LibdwForCores() {
        elf.load(elf_version, "elf_version");
        elf.load(elf_begin, "elf_begin");
        elf.load(elf_end, "elf_end");
        dw.load(report, "dwfl_core_file_report");
        dw.load(attach, "dwfl_core_file_attach");
        dw.load(threads, "dwfl_getthreads");
        dw.load(frames, "dwfl_thread_getframes");
        dw.load(callbacks.find_elf, "dwfl_build_id_find_elf");
        callbacks.find_debuginfo = reinterpret_cast<void*>(&find_no_debuginfo);
    }

    static constexpr unsigned current = 1;  ///< EV_CURRENT
    static constexpr int read_mapped = 8;   ///< ELF_C_READ_MMAP
};

const Libdw& libdw() {
    static const Libdw loaded;
    return loaded;
}

Error not_read(std::string cause) {
    return {ErrorKind::internal, "read the stack", {}, -1, std::move(cause), {}};
}

struct FrameWalk {
    Dwfl* session;
    std::vector<std::string> frames = {};  ///< the innermost first
    size_t seen = 0;
};

std::string file_of(Dwfl_Module* module) {
    const char* path =
        libdw().module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    const std::string_view whole = path != nullptr ? path : "";
    if (whole.starts_with("[vdso")) return "[vdso]";  // which is named by the process
    return std::string(base_name(whole));
}

/// C++ names are demangled, and very long ones cut.
std::string readable(const char* name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> demangled(
        abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    std::string text = demangled ? demangled.get() : name;
    if (text.size() > longest_function)
        text.replace(longest_function - 3, std::string::npos, "...");
    return text;
}

bool is_outside_of_main(std::string_view name) {
    return name.starts_with("__libc_start_") || name == "_start";
}

int take_frame(Dwfl_Frame* frame, void* to) {
    auto& walk = *static_cast<FrameWalk*>(to);
    uint64_t pc = 0;
    bool is_activation = false;
    if (!libdw().frame_pc(frame, &pc, &is_activation)) return stop;
    if (!is_activation) --pc;  // the call, not the instruction behind it
    Dwfl_Module* module = libdw().module_at(walk.session, pc);
    const char* name = module != nullptr ? libdw().name_at(module, pc) : nullptr;
    if (name != nullptr && is_outside_of_main(name)) {
        // libc's caller of a main() that has no name has none either.
        if (walk.frames.size() > 1 && walk.frames.back().starts_with("?? in libc.so"))
            walk.frames.pop_back();
        return stop;
    }
    std::string text = name != nullptr     ? readable(name)
                       : module != nullptr ? "?? in " + file_of(module)
                                           : "??";
    // Several functions without names in a row say no more than one.
    const bool says_nothing = name == nullptr && !walk.frames.empty() && walk.frames.back() == text;
    if (!says_nothing) walk.frames.push_back(std::move(text));
    ++walk.seen;
    return walk.seen < most_frames && walk.frames.back() != "main" ? go_on : stop;
}

/// `error`: what a function of libdw has returned, an errno or -1.
std::string why_failed(int error) {
    if (error > 0) return std::generic_category().message(error);
    const int last = libdw().last_error();
    const char* text = last != 0 ? libdw().error_text(last) : nullptr;
    return text != nullptr ? text : "no frame was found";
}

/// A process that is held while it is looked at. If this process dies meanwhile the other goes on,
/// unlike after PTRACE_ATTACH, whose SIGSTOP may come late and stay.
class Held {
  public:
    explicit Held(pid_t process) : process_(process) {
        if (ptrace(PTRACE_SEIZE, process, nullptr, nullptr) != 0) {
            error_ = errno;
            return;
        }
        ptrace(PTRACE_INTERRUPT, process, nullptr, nullptr);
        int status = 0;
        pid_t found = -1;
        do
            found = waitpid(process, &status, __WALL);
        while (found < 0 && errno == EINTR);
        if (found != process || !WIFSTOPPED(status)) error_ = ESRCH;
    }
    ~Held() {
        if (error_ == 0) ptrace(PTRACE_DETACH, process_, nullptr, nullptr);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    /// An errno; 0: it is held.
    int error() const { return error_; }

  private:
    pid_t process_;
    int error_ = 0;
};

using Session = std::unique_ptr<Dwfl, void (*)(Dwfl*)>;

Result<std::vector<std::string>> frames_in(FrameWalk& walk) {
    if (walk.frames.empty()) return not_read(why_failed(-1));
    std::reverse(walk.frames.begin(), walk.frames.end());
    return std::move(walk.frames);
}

const LibdwForCores& libdw_for_cores() {
    static const LibdwForCores loaded;
    return loaded;
}

/// The first thread of a core file is the one that died.
int take_dead_thread(Dwfl_Thread* thread, void* to) {
    libdw_for_cores().frames(thread, take_frame, to);
    return stop;
}

}  // namespace

Result<std::vector<std::string>> frames_of(pid_t process) {
    const Libdw& lib = libdw();
    if (!lib.library.why_not().empty()) return not_read(lib.library.why_not());
    const Held held(process);
    if (held.error() != 0) return not_read(why_failed(held.error()));
    const Session session(lib.begin(&lib.callbacks), lib.end);
    if (!session) return not_read(why_failed(-1));
    if (const int error = lib.report(session.get(), process); error != 0)
        return not_read(why_failed(error));
    lib.report_end(session.get(), nullptr, nullptr);
    if (const int error = lib.attach(session.get(), process, true); error != 0)
        return not_read(why_failed(error));
    FrameWalk walk{session.get()};
    lib.frames(session.get(), process, take_frame, &walk);
    return frames_in(walk);
}

Result<std::vector<std::string>> frames_of_core(const std::string& path) {
    const Libdw& lib = libdw();
    const LibdwForCores& cores = libdw_for_cores();
    for (const Library* each : {&lib.library, &cores.dw, &cores.elf})
        if (!each->why_not().empty()) return not_read(each->why_not());
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return not_read(why_failed(errno));
    cores.elf_version(LibdwForCores::current);
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(
        cores.elf_begin(file.get(), LibdwForCores::read_mapped, nullptr), cores.elf_end);
    if (!elf) return not_read("not a core file");
    const Session session(lib.begin(&cores.callbacks), lib.end);
    if (!session || cores.report(session.get(), elf.get(), nullptr) < 0)
        return not_read(why_failed(-1));
    lib.report_end(session.get(), nullptr, nullptr);
    if (cores.attach(session.get(), elf.get()) < 0) return not_read(why_failed(-1));
    FrameWalk walk{session.get()};
    cores.threads(session.get(), take_dead_thread, &walk);
    return frames_in(walk);
}

}  // namespace launch
