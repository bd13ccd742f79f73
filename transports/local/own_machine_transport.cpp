// SPDX-License-Identifier: MIT
#include "transports/local/own_machine_transport.hpp"

#include <algorithm>
#include <iterator>

#include "core/base/interfaces.hpp"
#include "core/hosts/this_machine.hpp"
#include "transports/own_addresses.hpp"

namespace launch {
namespace {

/// The address of the default route's interface, because a machine may have bridges of containers
/// that others cannot reach; or else the first one. No other host's address is known here, which
/// would allow a better choice.
std::string address_for_others() {
    constexpr const char* far_away = "192.0.2.1";  // of no host (RFC 5737)
    if (auto address = own_address_towards(far_away); !address.empty()) return address;
    const auto addresses = own_addresses();
    return addresses.empty() ? "127.0.0.1" : addresses.front();
}

class OwnMachineTransport : public Transport {
  public:
    OwnMachineTransport(std::vector<std::string> names, std::unique_ptr<Transport> here,
                        std::unique_ptr<Transport> others)
        : names_(std::move(names)), here_(std::move(here)), others_(std::move(others)) {}

    awaitable<Result<std::unique_ptr<ByteStream>>> start(StartRequest request) override {
        return by(request.host).start(std::move(request));
    }
    std::string explain(const StartRequest& request) override {
        return by(request.host).explain(request);
    }
    std::string by_hand(const std::vector<std::string>& argv) const override {
        return others_->by_hand(argv);
    }
    void will_start(std::span<const Host> hosts) override {
        std::vector<Host> others;
        std::copy_if(hosts.begin(), hosts.end(), std::back_inserter(others),
                     [this](const Host& host) { return !is_own(host); });
        others_->will_start(others);
    }
    bool is_own(const Host& host) const override { return is_this_machine(host, names_); }
    std::string own_address() const override { return address_for_others(); }

  private:
    Transport& by(const Host& host) { return is_own(host) ? *here_ : *others_; }

    std::vector<std::string> names_;
    std::unique_ptr<Transport> here_;
    std::unique_ptr<Transport> others_;
};

}  // namespace

std::unique_ptr<Transport> make_own_machine_transport(std::vector<std::string> names,
                                                      std::unique_ptr<Transport> here,
                                                      std::unique_ptr<Transport> others) {
    return std::make_unique<OwnMachineTransport>(std::move(names), std::move(here),
                                                 std::move(others));
}

}  // namespace launch
