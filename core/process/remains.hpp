#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string_view>
#include <sys/types.h>

namespace launch {

/// Which file a name stood for, so that another one that has taken the name since is left alone.
struct FileId {
    dev_t device = 0;
    ino_t inode = 0;  ///< 0: whatever it is, as nobody else can have guessed the name

    bool operator==(const FileId&) const = default;
};

/// A list of files and folders that are to be gone at the end of a process, in memory that it
/// shares with its guard: whoever lives removes them. It only grows, and an entry is in it before
/// what it names exists, so that a SIGKILL finds it whole at any time. One thread adds.
class Remains {
  public:
    /// False: there is no room for more.
    bool add_file(std::string_view path, FileId id);
    bool add_folder(std::string_view path);
    /// Removes what is there still, if it belongs to this user, the latest first, and forgets it.
    void remove_all();

  private:
    enum class Kind : unsigned char { file, folder };
    struct Entry {
        Kind kind{};
        FileId id;
        size_t path = 0;    ///< where it begins; it ends with '\0'
        size_t before = 0;  ///< the entry before it; no_entry: none
    };
    static constexpr size_t no_entry = SIZE_MAX;
    static constexpr size_t room = 1u << 20;  ///< all of it is taken, on every node

    bool add(Kind kind, std::string_view path, FileId id);

    std::atomic<size_t> latest_ = no_entry;
    size_t used_ = 0;
    std::array<char, room> bytes_;
};

/// Removes a folder with all that is in it, if it is one and belongs to this user: who made the
/// name up may have been refused what somebody else made.
void remove_own_folder(const char* path);

}  // namespace launch
