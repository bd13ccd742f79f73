// SPDX-License-Identifier: MIT
#include "modex/pmix/server/event_packet.hpp"

#include <vector>

#include "modex/pmix/server/pack_buffer.hpp"

namespace launch {
namespace {

/// An array of what libpmix has unpacked, to be given back to it.
class UnpackedInfos {
  public:
    explicit UnpackedInfos(const LibPmix& lib) : lib_(lib) {}
    UnpackedInfos(const UnpackedInfos&) = delete;
    UnpackedInfos& operator=(const UnpackedInfos&) = delete;
    ~UnpackedInfos() {
        for (auto& info : infos_)
            lib_.PMIx_Value_destruct(&info.value);
    }
    /// Unpacks one info at a time: an info takes half a kilobyte, so none is allocated before its
    /// bytes were read.
    bool unpack(PackBuffer& buffer, size_t count) {
        for (size_t i = 0; i < count; ++i)
            if (!buffer.unpack(lib_, infos_.emplace_back(), PMIX_INFO)) return false;
        return true;
    }
    pmix_info_t* data() { return infos_.data(); }
    size_t size() const { return infos_.size(); }

  private:
    const LibPmix& lib_;
    std::vector<pmix_info_t> infos_;
};

}  // namespace

bool concerns_other_nodes(pmix_data_range_t range) {
    return range != PMIX_RANGE_LOCAL && range != PMIX_RANGE_PROC_LOCAL && range != PMIX_RANGE_RM;
}

std::optional<std::string> pack_event(const LibPmix& lib, const PmixEvent& event) {
    PmixEvent copy = event;
    PackBuffer buffer;
    const bool head =
        buffer.pack(lib, copy.code, PMIX_STATUS) && buffer.pack(lib, copy.source, PMIX_PROC) &&
        buffer.pack(lib, copy.range, PMIX_DATA_RANGE) && buffer.pack(lib, copy.count, PMIX_SIZE);
    if (!head) return std::nullopt;
    for (size_t i = 0; i < copy.count; ++i)
        if (!buffer.pack(lib, copy.infos[i], PMIX_INFO)) return std::nullopt;
    return std::string(buffer.bytes());
}

void tell_packed_event(const LibPmix& lib, std::string_view bytes) {
    PackBuffer buffer;
    PmixEvent event;
    const bool head = buffer.fill(bytes) && buffer.unpack(lib, event.code, PMIX_STATUS) &&
                      buffer.unpack(lib, event.source, PMIX_PROC) &&
                      buffer.unpack(lib, event.range, PMIX_DATA_RANGE) &&
                      buffer.unpack(lib, event.count, PMIX_SIZE);
    UnpackedInfos infos(lib);
    if (!head || !infos.unpack(buffer, event.count)) return;
    const auto told = [](pmix_status_t, void*) {};
    lib.PMIx_Notify_event(event.code, &event.source, event.range, infos.data(), infos.size(), told,
                          nullptr);
}

}  // namespace launch
