#include "core/bind/cpu_ledger.hpp"

#include <gtest/gtest.h>

#include "core/run/rank_places.hpp"
#include "tests/unit/core/bind/machines.hpp"

namespace launch {
namespace {

CpuSet cpus(const char* text) {
    return read_cpus(text).value_or(CpuSet{});
}

TEST(CpuLedger, AClaimLastsUntilItsLastCopyGoes) {
    CpuLedger ledger;
    auto first = ledger.claim(cpus("0-1"));
    auto copy = first;
    const auto second = ledger.claim(cpus("1,5"));
    EXPECT_EQ(to_string(ledger.claimed()), "0-1,5");
    first.reset();
    EXPECT_EQ(to_string(ledger.claimed()), "0-1,5");
    copy.reset();
    EXPECT_EQ(to_string(ledger.claimed()), "1,5") << "one that two had is still the other's";
    EXPECT_EQ(ledger.claims(), 2u);
}

TEST(CpuLedger, ACoreIsClaimedByEachOfItsThreads) {
    const Machine machine = machine_of({.sockets = 1, .cores = 3, .threads = 2});
    EXPECT_EQ(to_string(without_cores_of(machine, cpus("2")).usable), "0-1,4-5");
    EXPECT_EQ(to_string(without_cores_of(machine, {}).usable), "0-5");
}

/// "0 1", of ranks that find these CPUs claimed on a machine of four cores; "-": not bound.
std::string bound(BindChoice bind, uint32_t ranks, const char* claimed) {
    PlaceRequest request;
    request.choice.bind = std::move(bind);
    request.runs = {{0, ranks, 1}};
    request.may_be_made_up = true;
    request.claimed = cpus(claimed);
    const auto places = find_rank_places(request, [](bool) -> Result<Machine> {
        Machine machine = machine_of({.sockets = 1, .cores = 4});
        machine.is_here = false;
        return machine;
    });
    std::string text = places.failure;
    for (const RankBinding& rank : places.bound)
        text += (text.empty() ? "" : " ") + (rank.cpus.empty() ? "-" : to_string(rank.cpus));
    return text;
}

TEST(CpuLedger, RanksGetCoresThatNobodyHasWhileThereAreEnough) {
    const BindChoice usual;
    const BindChoice core{.how = BindChoice::How::part};
    const BindChoice whole{.how = BindChoice::How::part, .part = MachinePart::socket};
    const BindChoice listed{.how = BindChoice::How::listed, .lists = {cpus("1")}};
    struct Row {
        BindChoice bind;
        uint32_t ranks;
        const char* claimed;
        const char* wanted;
    };
    const std::vector<Row> rows = {
        {usual, 2, "", "0 1"},    {usual, 2, "0", "1 2"},    {usual, 2, "1-3", "- -"},
        {usual, 2, "0-3", "- -"}, {core, 2, "1", "0 2"},     {core, 2, "0-2", "0 1"},
        {core, 1, "0-3", "0"},    {whole, 1, "0", "1-3"},    {whole, 1, "0-3", "0-3"},
        {listed, 1, "0-1", "1"},  {core, 4, "7", "0 1 2 3"},
    };
    for (const Row& row : rows)
        EXPECT_EQ(bound(row.bind, row.ranks, row.claimed), row.wanted)
            << row.ranks << " beside " << row.claimed;
}

}  // namespace
}  // namespace launch
