#include "transports/ssh/file_permissions.hpp"

#include <sys/stat.h>

namespace launch {
namespace {

constexpr mode_t all_bits = 07777;
constexpr uint32_t nobody = UINT32_MAX;  ///< whom nobody trusts

}  // namespace

FilePermissions permissions_of(int file) {
    struct stat info {};
    if (::fstat(file, &info) != 0) return {nobody, all_bits};
    return {info.st_uid, info.st_mode & all_bits};
}

bool is_exposed_key(const FilePermissions& held, uint32_t uid) {
    return held.owner == uid && (held.mode & (S_IRWXG | S_IRWXO)) != 0;
}

}  // namespace launch
