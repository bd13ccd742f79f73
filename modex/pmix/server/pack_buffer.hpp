// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "modex/pmix/server/libpmix.hpp"

namespace launch {

/// A buffer of libpmix's: values in libpmix's own form, for another libpmix to read.
class PackBuffer {
  public:
    PackBuffer() = default;
    PackBuffer(const PackBuffer&) = delete;
    PackBuffer& operator=(const PackBuffer&) = delete;
    ~PackBuffer() { std::free(buffer_.base_ptr); }

    std::string_view bytes() const { return {buffer_.base_ptr, buffer_.bytes_used}; }

    /// libpmix takes what it only reads as writable.
    template <class T>
    bool pack(const LibPmix& lib, T& value, pmix_data_type_t type) {
        return lib.PMIx_Data_pack(nullptr, &buffer_, &value, 1, type) == PMIX_SUCCESS;
    }

    /// Sets the bytes to unpack from. False: they cannot be unpacked.
    bool fill(std::string_view bytes) {
        if (bytes.empty()) return false;
        // libpmix unpacks from memory that it could free.
        auto* const copy = static_cast<char*>(std::malloc(bytes.size()));
        if (copy == nullptr) return false;
        std::memcpy(copy, bytes.data(), bytes.size());
        buffer_ = {.base_ptr = copy,
                   .pack_ptr = copy + bytes.size(),
                   .unpack_ptr = copy,
                   .bytes_allocated = bytes.size(),
                   .bytes_used = bytes.size()};
        return true;
    }
    template <class T>
    bool unpack(const LibPmix& lib, T& value, pmix_data_type_t type) {
        int32_t count = 1;
        return lib.PMIx_Data_unpack(nullptr, &buffer_, &value, &count, type) == PMIX_SUCCESS &&
               count == 1;
    }

  private:
    pmix_data_buffer_t buffer_{};
};

}  // namespace launch
