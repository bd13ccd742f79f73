// SPDX-License-Identifier: MIT
// A program that speaks PMIx: `pmix_client WHAT [ARGUMENT]`. Says on standard output what it was
// told, one line a rank, and exits with 0 when all was as it should be.
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <pmix.h>
#include <string>
#include <thread>
#include <vector>

namespace {

pmix_proc_t self;
uint32_t size = 0;

[[noreturn]] void fail(const std::string& what, pmix_status_t status) {
    std::cerr << "rank " << self.rank << ": " << what << ": " << PMIx_Error_string(status) << '\n';
    std::exit(1);
}

void expect(const std::string& what, pmix_status_t status, pmix_status_t wanted = PMIX_SUCCESS) {
    if (status != wanted) fail(what, status);
}

pmix_proc_t rank_of_job(uint32_t rank) {
    pmix_proc_t proc = self;
    proc.rank = rank;
    return proc;
}

uint32_t number(const pmix_value_t& value) {
    switch (value.type) {
        case PMIX_UINT16: return value.data.uint16;
        case PMIX_UINT32: return value.data.uint32;
        case PMIX_PROC_RANK: return value.data.rank;
        default: return 999999;
    }
}

std::string text(const pmix_value_t& value) {
    if (value.type == PMIX_STRING) return value.data.string;
    if (value.type == PMIX_BOOL) return value.data.flag ? "true" : "false";
    return std::to_string(number(value));
}

/// "?" and why where there is none.
std::string get(uint32_t rank, const char* key) {
    const pmix_proc_t proc = rank_of_job(rank);
    pmix_value_t* value = nullptr;
    const auto status = PMIx_Get(&proc, key, nullptr, 0, &value);
    if (status != PMIX_SUCCESS) return std::string("?") + PMIx_Error_string(status);
    const std::string found = text(*value);
    PMIX_VALUE_RELEASE(value);
    return found;
}

std::string card(uint32_t rank, size_t bytes) {
    std::string card = "card of " + std::to_string(rank) + " ";
    while (card.size() < bytes)
        card += static_cast<char>('a' + (card.size() + rank) % 26);
    return card;
}

void put(const char* key, const std::string& text) {
    pmix_value_t value{};
    value.type = PMIX_STRING;
    std::string copy = text;
    value.data.string = copy.data();
    expect("put", PMIx_Put(PMIX_GLOBAL, key, &value));
}

void fence(const std::vector<uint32_t>& ranks, bool collect) {
    std::vector<pmix_proc_t> procs;
    for (const uint32_t rank : ranks)
        procs.push_back(rank_of_job(rank));
    if (procs.empty()) procs.push_back(rank_of_job(PMIX_RANK_WILDCARD));
    pmix_info_t info{};
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
    expect("fence", PMIx_Fence(procs.data(), procs.size(), &info, 1));
}

void check_cards(const char* key, size_t bytes) {
    for (uint32_t rank = 0; rank < size; ++rank) {
        const std::string found = get(rank, key);
        if (found == card(rank, bytes)) continue;
        std::cerr << "rank " << self.rank << ": wrong card of " << rank << ": " << found << '\n';
        std::exit(1);
    }
}

/// Every rank puts a card and reads all.
void cards(bool collect, size_t bytes) {
    put("card", card(self.rank, bytes));
    expect("commit", PMIx_Commit());
    fence({}, collect);
    check_cards("card", bytes);
}

/// What nobody has put; libpmix waits two seconds for it when it is a neighbour who could.
void missing() {
    fence({}, true);
    std::string line = std::to_string(self.rank) + ":";
    for (uint32_t rank = 0; rank < size; ++rank)
        line += " " + get(rank, "no such key");
    std::cout << line + "\n";
}

/// Even and odd ranks meet among themselves, then all, many times.
void groups() {
    std::vector<uint32_t> mine;
    for (uint32_t rank = self.rank % 2; rank < size; rank += 2)
        mine.push_back(rank);
    for (int round = 0; round < 50; ++round) {
        fence(mine, round % 2 == 0);
        fence({}, round % 3 == 0);
    }
}

/// Of a group as large as the job, if one counts by how many its list names; and of one with a rank
/// that there is not. libpmix 4.2 itself waits for ever for one of the same node that is named
/// twice: these are of another.
void odd_groups() {
    const uint32_t half = size / 2;
    if (self.rank == 0 || self.rank == half) {
        std::vector<uint32_t> list(size, half - self.rank);
        list.front() = self.rank;
        fence(list, true);
        std::cout << std::to_string(self.rank) + ": met\n";
    }
    if (self.rank != 0) return;
    std::array<pmix_proc_t, 2> procs = {self, rank_of_job(size)};
    const auto status = PMIx_Fence(procs.data(), procs.size(), nullptr, 0);
    std::cout << std::string("0: ") + PMIx_Error_string(status) + "\n";
}

void keys() {
    std::string line = std::to_string(self.rank);
    for (const char* key :
         {PMIX_LOCAL_RANK, PMIX_NODE_RANK, PMIX_APPNUM, PMIX_APP_RANK, PMIX_GLOBAL_RANK,
          PMIX_NODEID, PMIX_HOSTNAME, PMIX_SPAWNED, PMIX_REINCARNATION, PMIX_PROCDIR})
        line += std::string(" ") + key + "=" + get(self.rank, key);
    for (const char* key :
         {PMIX_JOBID, PMIX_JOB_SIZE, PMIX_MAX_PROCS, PMIX_UNIV_SIZE, PMIX_LOCAL_SIZE,
          PMIX_NODE_SIZE, PMIX_LOCAL_PEERS, PMIX_LOCALLDR, PMIX_NUM_NODES, PMIX_JOB_NUM_APPS,
          PMIX_TDIR_RMCLEAN, PMIX_TMPDIR, PMIX_NSDIR, PMIX_WDIR, PMIX_APP_ARGV,
          PMIX_NODE_OVERSUBSCRIBED, "OMPI_APP_SIZES", "OMPI_FIRST_RANKS"})
        line += std::string(" ") + key + "=" + get(PMIX_RANK_WILDCARD, key);
    std::cout << line + "\n";
}

/// To which CPUs every rank is bound, and what it shares with others.
void bindings() {
    std::string line = std::to_string(self.rank) + ":";
    for (uint32_t rank = 0; rank < size; ++rank)
        line += " " + get(rank, PMIX_CPUSET) + "/" + get(rank, PMIX_LOCALITY_STRING);
    std::cout << line + "\n";
}

/// Where every rank is, as this one sees it.
void places() {
    std::string line = std::to_string(self.rank) + ":";
    for (uint32_t rank = 0; rank < size; ++rank)
        line += " " + get(rank, PMIX_HOSTNAME) + "/" + get(rank, PMIX_NODEID);
    std::cout << line + "\n";
}

std::string lookup(const char* key) {
    pmix_pdata_t found{};
    PMIX_LOAD_KEY(found.key, key);
    const auto status = PMIx_Lookup(&found, 1, nullptr, 0);
    if (status != PMIX_SUCCESS) return PMIx_Error_string(status);
    return text(found.value) + " of " + std::to_string(found.proc.rank);
}

void names() {
    if (self.rank == 0) {
        pmix_info_t info[2];
        uint32_t port = 4242;
        PMIX_INFO_LOAD(&info[0], "service", "at a port", PMIX_STRING);
        PMIX_INFO_LOAD(&info[1], "number", &port, PMIX_UINT32);
        expect("publish", PMIx_Publish(info, 2));
        expect("publish again", PMIx_Publish(info, 1), PMIX_ERR_DUPLICATE_KEY);
    }
    fence({}, false);
    std::string line =
        std::to_string(self.rank) + ": " + lookup("service") + ", " + lookup("number");
    fence({}, false);
    std::array<char*, 2> gone = {const_cast<char*>("service"), nullptr};
    if (self.rank == 0) expect("unpublish", PMIx_Unpublish(gone.data(), nullptr, 0));
    fence({}, false);
    std::cout << line + ", " + lookup("service") + "\n";
}

/// All look up what only the first is to have.
void name_for_one() {
    if (self.rank == 0) {
        pmix_info_t info[2];
        pmix_persistence_t persistence = PMIX_PERSIST_FIRST_READ;
        PMIX_INFO_LOAD(&info[0], "ticket", "at a port", PMIX_STRING);
        PMIX_INFO_LOAD(&info[1], PMIX_PERSISTENCE, &persistence, PMIX_PERSIST);
        expect("publish", PMIx_Publish(info, 2));
    }
    fence({}, false);
    std::cout << lookup("ticket") + "\n";
    fence({}, false);
    if (self.rank != 0) return;
    pmix_info_t again;
    PMIX_INFO_LOAD(&again, "ticket", "free again", PMIX_STRING);
    expect("publish what was taken", PMIx_Publish(&again, 1));
}

struct Waiting {
    int enough = -1;  ///< of the keys; -1: none
    int limit = 0;    ///< in seconds
};

/// Of several keys: how many are there, or why not.
std::string lookup(const std::vector<const char*>& keys, Waiting waiting) {
    std::vector<pmix_pdata_t> found(keys.size());
    for (size_t i = 0; i < keys.size(); ++i)
        PMIX_LOAD_KEY(found[i].key, keys[i]);
    std::array<pmix_info_t, 2> infos{};
    PMIX_INFO_LOAD(&infos[0], PMIX_WAIT, &waiting.enough, PMIX_INT);
    PMIX_INFO_LOAD(&infos[1], PMIX_TIMEOUT, &waiting.limit, PMIX_INT);
    const size_t count = waiting.enough < 0 ? 0 : 2;
    const auto status = PMIx_Lookup(found.data(), found.size(), infos.data(), count);
    std::string line = PMIx_Error_string(status);
    for (const auto& each : found)
        if (each.value.type != PMIX_UNDEF) line += " " + text(each.value);
    return line;
}

/// All wait for what rank 0 publishes when they do.
void awaited_names() {
    fence({}, false);
    if (self.rank == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        pmix_info_t info;
        PMIX_INFO_LOAD(&info, "service", "at a port", PMIX_STRING);
        expect("publish", PMIx_Publish(&info, 1));
    } else {
        std::string line = std::to_string(self.rank) + ": " + lookup({"service"}, {});
        line += ", " + lookup({"service"}, {0, 20}) + ", " + lookup({"never", "service"}, {1, 0});
        line += ", " + lookup({"never"}, {0, 1}) + ", " + lookup({"service", "never"}, {});
        std::cout << line + "\n";
    }
    fence({}, false);
}

struct Heard {
    std::mutex mutex;
    std::condition_variable changed;
    std::string what;
    bool registered = false;
} heard;

void on_event(size_t, pmix_status_t status, const pmix_proc_t* source, pmix_info_t infos[],
              size_t count, pmix_info_t[], size_t, pmix_event_notification_cbfunc_fn_t done,
              void* cookie) {
    {
        const std::lock_guard lock(heard.mutex);
        heard.what += (heard.what.empty() ? "" : " and ") + std::to_string(status);
        if (source->rank < size) heard.what += " from " + std::to_string(source->rank);
        for (size_t i = 0; i < count; ++i) {
            if (PMIX_CHECK_KEY(&infos[i], PMIX_EVENT_AFFECTED_PROC))
                heard.what += " of " + std::to_string(infos[i].value.data.proc->rank);
            if (PMIX_CHECK_KEY(&infos[i], "test.text"))
                heard.what += std::string(" ") + infos[i].value.data.string;
        }
        heard.changed.notify_all();
    }
    done(PMIX_EVENT_ACTION_COMPLETE, nullptr, 0, nullptr, nullptr, cookie);
}

void on_registered(pmix_status_t, size_t, void*) {
    const std::lock_guard lock(heard.mutex);
    heard.registered = true;
    heard.changed.notify_all();
}

void listen_for(pmix_status_t code) {
    PMIx_Register_event_handler(&code, 1, nullptr, 0, on_event, on_registered, nullptr);
    std::unique_lock lock(heard.mutex);
    heard.changed.wait(lock, [] { return heard.registered; });
}

/// What has been heard, after a while in which it could come again.
void tell_event(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    std::unique_lock lock(heard.mutex);
    const bool came = heard.changed.wait_for(lock, patience, [] { return !heard.what.empty(); });
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    lock.lock();
    std::cout << std::to_string(self.rank) + ": heard " + (came ? heard.what : "nothing") + "\n";
}

constexpr pmix_status_t event_code = PMIX_EXTERNAL_ERR_BASE - 7;

void notify(const std::string& range, size_t bytes) {
    std::array<pmix_proc_t, 2> some = {rank_of_job(1), rank_of_job(size - 1)};
    pmix_data_array_t array{.type = PMIX_PROC, .size = some.size(), .array = some.data()};
    const std::string text = bytes == 0 ? "hello" : std::string(bytes, 'x');
    std::array<pmix_info_t, 2> infos{};
    PMIX_INFO_LOAD(infos.data(), "test.text", text.c_str(), PMIX_STRING);
    PMIX_LOAD_KEY(infos[1].key, PMIX_EVENT_CUSTOM_RANGE);
    infos[1].value.type = PMIX_DATA_ARRAY;
    infos[1].value.data.darray = &array;
    const bool custom = range == "custom";
    const pmix_data_range_t which = range == "local"    ? PMIX_RANGE_LOCAL
                                    : range == "global" ? PMIX_RANGE_GLOBAL
                                    : custom            ? PMIX_RANGE_CUSTOM
                                                        : PMIX_RANGE_NAMESPACE;
    expect("notify", PMIx_Notify_event(event_code, &self, which, infos.data(), custom ? 2 : 1,
                                       nullptr, nullptr));
}

/// Rank 0 tells the others something.
void event(const std::string& range) {
    if (self.rank != 0) listen_for(event_code);
    fence({}, false);
    if (self.rank == 0) {
        notify(range, 0);
    } else {
        const bool all = range != "local" && range != "custom";
        tell_event(all ? std::chrono::seconds(20) : std::chrono::seconds(1));
    }
    fence({}, false);
}

/// Rank 0 tells them too much.
void large_event() {
    if (self.rank == 0) notify("global", 2U << 20);
    fence({}, false);
    std::this_thread::sleep_for(std::chrono::seconds(20));
}

/// Rank 0 dies, the others asked to hear of it.
void death() {
    if (self.rank != 0) listen_for(PMIX_ERR_PROC_ABORTED);
    fence({}, false);
    if (self.rank == 0) std::abort();
    tell_event();
}

/// The last rank leaves in peace, `early` before the others enter a fence with it or `late` when
/// they have: of all ranks, or of the first, the last and its neighbour.
void lonely(bool all, bool early) {
    const auto wait = [](bool so) {
        if (so) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    };
    fence({}, false);
    wait(early != (self.rank == size - 1));
    if (self.rank == size - 1) return;
    if (all) fence({}, false);
    if (!all && (self.rank == 0 || self.rank == size - 2)) fence({0, size - 2, size - 1}, false);
    std::cout << std::to_string(self.rank) + ": through\n";
}

/// The last rank leaves a card behind, which is read when its process is gone.
void legacy() {
    if (self.rank == size - 1) put("card", card(self.rank, 200));
    expect("commit", PMIx_Commit());
    fence({}, false);
    if (self.rank == size - 1) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const bool right = get(size - 1, "card") == card(size - 1, 200);
    std::cout << std::to_string(self.rank) + (right ? ": read it\n" : ": lost it\n");
}

std::string query(const char* key) {
    std::array<char*, 2> keys = {const_cast<char*>(key), nullptr};
    pmix_query_t query{};
    query.keys = keys.data();
    pmix_info_t* infos = nullptr;
    size_t count = 0;
    const auto status = PMIx_Query_info(&query, 1, &infos, &count);
    if (status != PMIX_SUCCESS) return PMIx_Error_string(status);
    std::string found = count == 1 && PMIX_CHECK_KEY(&infos[0], key) ? "" : "?";
    for (size_t i = 0; i < count; ++i)
        found += infos[i].value.type == PMIX_SIZE ? std::to_string(infos[i].value.data.size)
                                                  : "'" + text(infos[i].value) + "'";
    PMIX_INFO_FREE(infos, count);
    return found;
}

/// What a rank may ask of the launcher.
void queries() {
    std::string line = std::to_string(self.rank) + ":";
    for (const char* key : {PMIX_QUERY_NAMESPACES, PMIX_QUERY_NUM_PSETS, PMIX_QUERY_PSET_NAMES,
                            PMIX_QUERY_NUM_GROUPS, PMIX_QUERY_QUEUE_LIST})
        line += " " + query(key);
    line += query(PMIX_QUERY_NAMESPACES) == "'" + std::string(self.nspace) + "'" ? " mine" : "";
    std::cout << line + "\n";
}

/// Of all ranks.
std::string group() {
    std::vector<pmix_proc_t> procs;
    for (uint32_t rank = 0; rank < size; ++rank)
        procs.push_back(rank_of_job(rank));
    pmix_info_t* results = nullptr;
    size_t count = 0;
    return PMIx_Error_string(
        PMIx_Group_construct("some", procs.data(), procs.size(), nullptr, 0, &results, &count));
}

void headless() {
    std::string program = "true";
    pmix_app_t app{};
    app.cmd = program.data();
    app.maxprocs = 1;
    pmix_nspace_t nspace;
    const pmix_proc_t all = rank_of_job(PMIX_RANK_WILDCARD);
    std::string line = std::to_string(self.rank) + ": ";
    line += PMIx_Error_string(PMIx_Spawn(nullptr, 0, &app, 1, nspace));
    line += std::string(" ") + PMIx_Error_string(PMIx_Connect(&all, 1, nullptr, 0));
    std::cout << line + " " + group() + "\n";
}

void time_it() {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    cards(true, 200);
    const auto end = Clock::now();
    if (self.rank == 0)
        std::cout << "put, fence and get of all: "
                  << std::chrono::duration<double, std::milli>(end - begin).count() << " ms\n";
}

void run(const std::string& what, const std::string& argument) {
    const size_t bytes = argument.empty() ? 200 : std::strtoul(argument.c_str(), nullptr, 10);
    if (what == "collect") return cards(true, bytes);
    if (what == "direct") return cards(false, bytes);
    if (what == "missing") return missing();
    if (what == "groups") return groups();
    if (what == "odd-groups") return odd_groups();
    if (what == "keys") return keys();
    if (what == "bindings") return bindings();
    if (what == "places") return places();
    if (what == "names") return names();
    if (what == "name-for-one") return name_for_one();
    if (what == "awaited-names") return awaited_names();
    if (what == "event") return event(argument);
    if (what == "large-event") return large_event();
    if (what == "lonely") return lonely(true, argument == "early");
    if (what == "legacy") return legacy();
    if (what == "lonely-group") return lonely(false, argument == "early");
    if (what == "queries") return queries();
    if (what == "death") return death();
    if (what == "headless") return headless();
    if (what == "time") return time_it();
    if (what == "init") return;
    if (what == "crash" && self.rank == size - 1) std::abort();
    if (what == "leave" && self.rank == size - 1) std::_Exit(0);  // without finalize
    if (what == "abort" && self.rank == size - 1)
        PMIx_Abort(static_cast<int>(bytes), "the client says so", nullptr, 0);
    if (what == "crash" || what == "leave" || what == "abort") {
        std::this_thread::sleep_for(std::chrono::seconds(60));
        return;
    }
    std::cerr << "pmix_client: no such thing: " << what << '\n';
    std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "collect";
    expect("init", PMIx_Init(&self, nullptr, 0));
    const std::string found = get(PMIX_RANK_WILDCARD, PMIX_JOB_SIZE);
    size = static_cast<uint32_t>(std::strtoul(found.c_str(), nullptr, 10));
    run(what, argc > 2 ? argv[2] : "");
    expect("finalize", PMIx_Finalize(nullptr, 0));
    return 0;
}
