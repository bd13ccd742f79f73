// SPDX-License-Identifier: MIT
#include "cmd/doctor/look_at_names.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <memory>
#include <netdb.h>

#include "cmd/doctor/ask_within.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

/// As long as a resolver waits for a name server that is silent, by default.
constexpr std::chrono::milliseconds name_limit{5000};

bool is_address(const std::string& name) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    const std::string bare = name.substr(0, name.find('%'));
    return inet_pton(AF_INET, bare.c_str(), bytes.data()) == 1 ||
           inet_pton(AF_INET6, bare.c_str(), bytes.data()) == 1;
}

/// "ADDRESS,ADDRESS TAB FAULT", a line.
std::string resolved(const std::string& name) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* first = nullptr;
    const int fault = getaddrinfo(name.c_str(), nullptr, &hints, &first);
    if (fault != 0) return std::string("\t") + gai_strerror(fault) + "\n";
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(first, freeaddrinfo);
    std::vector<std::string> addresses;
    for (const addrinfo* each = first; each != nullptr; each = each->ai_next) {
        std::array<char, NI_MAXHOST> text{};
        if (getnameinfo(each->ai_addr, each->ai_addrlen, text.data(), text.size(), nullptr, 0,
                        NI_NUMERICHOST) == 0)
            addresses.emplace_back(text.data());
    }
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    return joined(addresses, ",") + "\t\n";
}

NameFact fact_of(const std::string& name, std::string_view line) {
    const size_t tab = line.find('\t');
    NameFact fact{name, {}, {}};
    for (const auto address : split(line.substr(0, tab), ','))
        fact.addresses.emplace_back(address);
    if (tab != std::string_view::npos) fact.fault = line.substr(tab + 1);
    return fact;
}

}  // namespace

std::vector<NameFact> look_at_names(const std::vector<std::string>& names) {
    std::vector<std::string> asked;
    std::copy_if(names.begin(), names.end(), std::back_inserter(asked),
                 [](const std::string& name) { return !is_address(name); });
    const auto answer = ask_within(name_limit, [&](const Send& send) {
        for (const auto& name : asked)
            send(resolved(name));
    });
    const auto lines = split(answer.text, '\n');
    std::vector<NameFact> facts;
    for (size_t i = 0; i < asked.size(); ++i) {
        // After the last line's end there is one more part, which is empty.
        const bool told = i + 1 < lines.size();
        const char* late = i == 0 ? "no answer within 5 s" : "no answer in the 5 s for all names";
        facts.push_back(told ? fact_of(asked[i], lines[i]) : NameFact{asked[i], {}, late});
        if (!told) break;  // those after it were not asked
    }
    return facts;
}

}  // namespace launch
