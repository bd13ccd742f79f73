// SPDX-License-Identifier: MIT
// A tool of PMIx, as debuggers are: `pmix_tool FOLDER`. Connects to the
// server whose contact file is below that folder, and prints the answers, one thing a line:
// "job NAME", "here RANK HOST PID FILE" and "all RANK HOST PID FILE" for the tables of processes,
// then what ranks write ("out RANK TEXT", "err RANK TEXT") until its standard input ends.
// Lines of its standard input are orders: "tables JOB", "spawn exec|init PROGRAM [ARGUMENT]" for a
// job whose rank stops there ("spawned JOB"), and "release JOB" for ranks that wait in PMIx_Init()
// ("waits RANK JOB").
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <pmix_tool.h>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::mutex mutex;

void say(const std::string& line) {
    const std::lock_guard lock(mutex);
    std::cout << line << std::endl;
}

[[noreturn]] void fail(const std::string& what, pmix_status_t status) {
    std::cerr << "pmix_tool: " << what << ": " << PMIx_Error_string(status) << '\n';
    std::_Exit(1);
}

void expect(const std::string& what, pmix_status_t status) {
    if (status != PMIX_SUCCESS && status != PMIX_OPERATION_SUCCEEDED) fail(what, status);
}

/// Asks for one key, about that job if one is named. Null: there is no answer.
pmix_info_t* ask(const char* key, const std::string& job) {
    pmix_query_t query;
    PMIX_QUERY_CONSTRUCT(&query);
    pmix_status_t status = PMIX_SUCCESS;
    PMIX_ARGV_APPEND(status, query.keys, key);
    expect(key, status);
    if (!job.empty()) {
        query.nqual = 1;
        PMIX_INFO_CREATE(query.qualifiers, 1);
        PMIX_INFO_LOAD(query.qualifiers, PMIX_NSPACE, job.c_str(), PMIX_STRING);
    }
    pmix_info_t* found = nullptr;
    size_t count = 0;
    const auto asked = PMIx_Query_info(&query, 1, &found, &count);
    if (asked != PMIX_SUCCESS || count == 0) say(std::string("no ") + key);
    return asked == PMIX_SUCCESS && count > 0 ? found : nullptr;
}

void show_table(const char* word, const char* key, const std::string& job) {
    const pmix_info_t* found = ask(key, job);
    if (found == nullptr) return;
    if (found->value.type != PMIX_DATA_ARRAY) fail(key, PMIX_ERR_TYPE_MISMATCH);
    const pmix_data_array_t& array = *found->value.data.darray;
    const auto* const infos = static_cast<const pmix_proc_info_t*>(array.array);
    for (size_t i = 0; i < array.size; ++i)
        say(std::string(word) + ' ' + std::to_string(infos[i].proc.rank) + ' ' + infos[i].hostname +
            ' ' + std::to_string(infos[i].pid) + ' ' + infos[i].executable_name);
}

void show_output(size_t, pmix_iof_channel_t channel, pmix_proc_t* source, pmix_byte_object_t* bytes,
                 pmix_info_t*, size_t) {
    if (bytes == nullptr || bytes->size == 0) return;
    std::string text(bytes->bytes, bytes->size);
    if (text.back() == '\n') text.pop_back();
    say(std::string(channel == PMIX_FWD_STDERR_CHANNEL ? "err " : "out ") +
        std::to_string(source->rank) + ' ' + text);
}

void pull_output(const std::string& job) {
    pmix_proc_t all;
    PMIX_LOAD_PROCID(&all, job.c_str(), PMIX_RANK_WILDCARD);
    const auto handler =
        PMIx_IOF_pull(&all, 1, nullptr, 0, PMIX_FWD_STDOUT_CHANNEL | PMIX_FWD_STDERR_CHANNEL,
                      show_output, nullptr, nullptr);
    if (handler < 0) fail("PMIx_IOF_pull", handler);
    say("pulls");
}

void show_waiting(size_t, pmix_status_t, const pmix_proc_t* source, pmix_info_t*, size_t,
                  pmix_info_t*, size_t, pmix_event_notification_cbfunc_fn_t done, void* cookie) {
    say("waits " + std::to_string(source->rank) + ' ' + source->nspace);
    if (done != nullptr) done(PMIX_EVENT_ACTION_COMPLETE, nullptr, 0, nullptr, nullptr, cookie);
}

void watch_for_waiting() {
    pmix_status_t code = PMIX_READY_FOR_DEBUG;
    const auto handler =
        PMIx_Register_event_handler(&code, 1, nullptr, 0, show_waiting, nullptr, nullptr);
    if (handler < 0) fail("PMIx_Register_event_handler", handler);
}

void release(const std::string& job, const pmix_proc_t& self) {
    pmix_proc_t all;
    PMIX_LOAD_PROCID(&all, job.c_str(), PMIX_RANK_WILDCARD);
    pmix_info_t infos[2];
    PMIX_INFO_LOAD(&infos[0], PMIX_EVENT_CUSTOM_RANGE, &all, PMIX_PROC);
    PMIX_INFO_LOAD(&infos[1], PMIX_EVENT_NON_DEFAULT, nullptr, PMIX_BOOL);
    expect("PMIx_Notify_event", PMIx_Notify_event(PMIX_DEBUGGER_RELEASE, &self, PMIX_RANGE_CUSTOM,
                                                  infos, 2, nullptr, nullptr));
}

void show_tables(const std::string& job) {
    show_table("here", PMIX_QUERY_LOCAL_PROC_TABLE, job);
    show_table("all", PMIX_QUERY_PROC_TABLE, job);
}

void spawn(std::istream& words) {
    std::string where, program, argument;
    words >> where >> program >> argument;
    pmix_info_t info;
    pmix_rank_t all = PMIX_RANK_WILDCARD;
    PMIX_INFO_LOAD(&info, where == "exec" ? PMIX_DEBUG_STOP_ON_EXEC : PMIX_DEBUG_STOP_IN_INIT, &all,
                   PMIX_PROC_RANK);
    pmix_app_t app;
    PMIX_APP_CONSTRUCT(&app);
    app.cmd = program.data();
    char* argv[] = {program.data(), argument.empty() ? nullptr : argument.data(), nullptr};
    app.argv = argv;
    app.maxprocs = 1;
    pmix_nspace_t job{};
    expect("PMIx_Spawn", PMIx_Spawn(&info, 1, &app, 1, job));
    say(std::string("spawned ") + job);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    setenv("PMIX_SYSTEM_TMPDIR", argv[1], 1);
    setenv("PMIX_SERVER_TMPDIR", argv[1], 1);
    pmix_proc_t self;
    expect("PMIx_tool_init", PMIx_tool_init(&self, nullptr, 0));
    const pmix_info_t* const jobs = ask(PMIX_QUERY_NAMESPACES, {});
    if (jobs == nullptr) return 1;
    const std::string job = jobs->value.data.string;
    say("job " + job);
    watch_for_waiting();
    show_tables(job);
    pull_output(job);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string order, other;
        words >> order;
        if (order == "spawn") spawn(words);
        if (order != "tables" && order != "release") continue;
        words >> other;
        order == "tables" ? show_tables(other) : release(other, self);
    }
    PMIx_tool_finalize();
}
