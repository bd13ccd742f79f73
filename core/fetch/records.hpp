// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace launch {

/// The stream that a host sends for a file or folder of --fetch consists of records in the order of
/// a walk. A folder's record is followed by those of its content and by a FolderEnd, a file's by
/// pieces and a FileEnd. Names are single names, never paths: the decoder refuses all others, so
/// that a receiver which makes each name below the folder that it made last cannot leave it.
struct FetchedFolder {
    std::string name;
    uint32_t mode = 0;  ///< permission bits
};
struct FetchedFolderEnd {};
struct FetchedFile {
    std::string name;
    uint32_t mode = 0;  ///< permission bits
};
struct FetchedPiece {
    std::string_view bytes;  ///< valid until the decoder's next call
};
struct FetchedFileEnd {
    uint64_t checksum = 0;  ///< of all its bytes, see core/stage/checksum.hpp
};
struct FetchedLink {
    std::string name;
    std::string target;
};
/// Nothing that can be copied: a socket, a pipe or a device.
struct FetchedOther {
    std::string name;
};
/// The file or folder that the head asked for cannot be read; nothing follows.
struct FetchedFault {
    std::string path;
    std::string cause;
};
/// All of it has been sent; nothing follows.
struct FetchedAll {};
/// Something in the folder that was asked for cannot be read; the rest follows. Ends the file that
/// has begun, if any, which is not kept.
struct FetchedUnread {
    std::string path;
    std::string cause;
};

using FetchRecord =
    std::variant<FetchedFolder, FetchedFolderEnd, FetchedFile, FetchedPiece, FetchedFileEnd,
                 FetchedLink, FetchedOther, FetchedFault, FetchedAll, FetchedUnread>;

namespace fetch {
inline constexpr uint32_t permissions = 0777;    ///< no set-user-id, set-group-id or sticky bit
inline constexpr size_t piece_size = 64u << 10;  ///< most bytes of a FetchedPiece
inline constexpr size_t most_depth = 100;        ///< folders in each other
/// How names of folders and files begin that have not come whole.
inline constexpr std::string_view unfinished = ".launch-fetch-";
inline constexpr size_t most_text = 4096;               ///< of a name, link target, path or cause
inline constexpr size_t most_record = piece_size + 16;  ///< bytes of one encoded record
}  // namespace fetch

/// The last name of a path, without slashes behind it; empty for `/`.
std::string last_name(std::string_view path);

/// Whether this can be one name in a folder: not empty, `.` or `..`, without `/` and NUL.
bool is_single_name(std::string_view name);

std::string encode_fetch(const FetchRecord& record);

/// Reads the records of one stream, as its bytes come. Holds no more than one record.
class FetchDecoder {
  public:
    /// The stream goes on with these.
    void add(std::string_view bytes);
    /// Nothing: more bytes are needed, or the stream is malformed.
    std::optional<FetchRecord> next();
    bool malformed() const { return malformed_; }

  private:
    std::string buffer_;
    size_t read_ = 0;  ///< bytes of the buffer that have been given out
    bool malformed_ = false;
};

}  // namespace launch
