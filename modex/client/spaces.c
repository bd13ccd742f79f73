// SPDX-License-Identifier: MIT
/* Processes and hosts that come and go, and names that all spaces know. What is not PMI-1 is told
 * in modex/pmi1/own_commands.cpp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modex/client/job.h"

/* A line's length: there may be a key or a few numbers beside the word. */
static int is_line(const char* word) {
    return word && strlen(word) <= LAUNCH_MODEX_WORD_MAX && !strchr(word, '\n');
}

static int copy_text(struct modex_field text, char* to, size_t size) {
    if (text.length >= size) return LAUNCH_MODEX_ETOOSMALL;
    memcpy(to, text.text, text.length);
    to[text.length] = 0;
    return LAUNCH_MODEX_OK;
}

static int copy_field(const launch_modex* job, const char* name, char* to, size_t size) {
    const struct modex_field field = modex_wire_last_field(&job->wire, name);
    return field.text ? copy_text(field, to, size) : LAUNCH_MODEX_EPROTOCOL;
}

int modex_need_launch(launch_modex* job) {
    if (!job->launched) return LAUNCH_MODEX_EUNSUPPORTED;
    if (job->is_launch == MODEX_MAYBE) {
        const int failed = modex_wire_ask(&job->wire, "get_result",
                                          "cmd=get kvsname=%s key=PMI_launch", job->wire.kvsname);
        if (failed && failed != LAUNCH_MODEX_EREFUSED) return failed;
        job->is_launch = failed ? MODEX_NO : MODEX_YES;
    }
    return job->is_launch == MODEX_YES ? LAUNCH_MODEX_OK : LAUNCH_MODEX_EUNSUPPORTED;
}

const char* launch_modex_space(const launch_modex* job) {
    if (!job) return NULL;
    return job->launched ? job->wire.kvsname : "";
}

int launch_modex_parent(launch_modex* job, char* space, size_t size) {
    modex_forget_reason(job);
    if (!job || !space) return LAUNCH_MODEX_EARGUMENT;
    int failed = modex_need_launch(job);
    if (failed) return failed;
    failed = modex_wire_ask(&job->wire, "get_result", "cmd=get kvsname=%s key=PMI_launch_parent",
                            job->wire.kvsname);
    failed = modex_keep_reason(job, failed, MODEX_REASON_OF_PMI1);
    if (failed) return modex_missing(job, failed, LAUNCH_MODEX_ENOTFOUND);
    return copy_field(job, "value", space, size);
}

/* All that is sent must fit: half of a spawn cannot be taken back. */
static int can_be_spawned(const char* const* argv, int count, const char* const* info) {
    if (!argv || !argv[0] || !*argv[0] || count <= 0) return 0;
    for (; *argv; argv++)
        if (!is_line(*argv)) return 0;
    for (; info && *info; info++) {
        const char* equals = strchr(*info, '=');
        if (!is_line(*info) || !equals || equals == *info) return 0;
    }
    return 1;
}

static int say_words(struct modex_wire* wire, const char* const* argv) {
    int failed = LAUNCH_MODEX_OK, words = 0;
    while (argv[words + 1])
        words++;
    failed = modex_wire_say(wire, "argcnt=%d", words);
    for (int i = 1; i <= words && !failed; i++)
        failed = modex_wire_say(wire, "arg%d=%s", i, argv[i]);
    return failed;
}

static int say_info(struct modex_wire* wire, const char* const* info) {
    int failed = LAUNCH_MODEX_OK, keys = 0;
    while (info && info[keys])
        keys++;
    failed = modex_wire_say(wire, "info_num=%d", keys);
    for (int i = 0; i < keys && !failed; i++) {
        const char* equals = strchr(info[i], '=');
        failed = modex_wire_say(wire, "info_key_%d=%.*s", i, (int)(equals - info[i]), info[i]);
        if (!failed) failed = modex_wire_say(wire, "info_val_%d=%s", i, equals + 1);
    }
    return failed;
}

static int ask_to_spawn(struct modex_wire* wire, const char* const* argv, int count,
                        const char* const* info) {
    int failed = modex_wire_say(wire, "mcmd=spawn\nnprocs=%d", count);
    if (!failed) failed = modex_wire_say(wire, "execname=%s", argv[0]);
    if (!failed) failed = modex_wire_say(wire, "totspawns=1\nspawnssofar=1");
    if (!failed) failed = say_words(wire, argv);
    if (!failed) failed = modex_wire_say(wire, "preput_num=0");
    if (!failed) failed = say_info(wire, info);
    if (!failed) failed = modex_wire_say(wire, "endcmd");
    return failed ? failed : modex_wire_answer(wire, "spawn_result");
}

int launch_modex_spawn(launch_modex* job, const char* const* argv, int count,
                       const char* const* info, char* space, size_t size) {
    modex_forget_reason(job);
    if (!job || (!space && size > 0) || !can_be_spawned(argv, count, info))
        return LAUNCH_MODEX_EARGUMENT;
    if (!job->launched) return LAUNCH_MODEX_EUNSUPPORTED;
    const int failed =
        modex_keep_reason(job, ask_to_spawn(&job->wire, argv, count, info), MODEX_REASON_OF_PMI1);
    if (failed || size == 0) return failed;
    struct modex_field id = modex_wire_field(&job->wire, "jobid");
    if (!id.text) id.text = "";  // of another launcher
    return copy_text(id, space, size);
}

static int change_hosts(launch_modex* job, const char* verb, const char* hosts) {
    modex_forget_reason(job);
    if (!job || !is_line(hosts) || !*hosts) return LAUNCH_MODEX_EARGUMENT;
    const int failed = modex_need_launch(job);
    if (failed) return failed;
    return modex_keep_reason(
        job, modex_wire_ask(&job->wire, "launch_result", "cmd=%s hosts=%s", verb, hosts),
        MODEX_REASON_OF_LAUNCH);
}

int launch_modex_grow(launch_modex* job, const char* hosts) {
    return change_hosts(job, "launch_grow", hosts);
}

int launch_modex_release(launch_modex* job, const char* hosts) {
    return change_hosts(job, "launch_release", hosts);
}

int launch_modex_publish(launch_modex* job, const char* name, const char* value) {
    modex_forget_reason(job);
    if (!job || !is_line(name) || !*name || !is_line(value) || !*value ||
        strlen(name) + strlen(value) > LAUNCH_MODEX_WORD_MAX)
        return LAUNCH_MODEX_EARGUMENT;
    if (!job->launched) return LAUNCH_MODEX_EUNSUPPORTED;
    return modex_keep_reason(job,
                             modex_wire_ask(&job->wire, "publish_result",
                                            "cmd=publish_name service=%s port=%s", name, value),
                             MODEX_REASON_OF_PMI1);
}

int launch_modex_unpublish(launch_modex* job, const char* name) {
    modex_forget_reason(job);
    if (!job || !is_line(name) || !*name) return LAUNCH_MODEX_EARGUMENT;
    if (!job->launched) return LAUNCH_MODEX_EUNSUPPORTED;
    const int failed = modex_keep_reason(
        job, modex_wire_ask(&job->wire, "unpublish_result", "cmd=unpublish_name service=%s", name),
        MODEX_REASON_OF_PMI1);
    return modex_missing(job, failed, LAUNCH_MODEX_ENOTFOUND);
}

int launch_modex_lookup(launch_modex* job, const char* name, int timeout_ms, char* value,
                        size_t size) {
    modex_forget_reason(job);
    if (!job || !is_line(name) || !*name || !value || timeout_ms < -1)
        return LAUNCH_MODEX_EARGUMENT;
    if (!job->launched) return LAUNCH_MODEX_EUNSUPPORTED;
    int failed = timeout_ms == 0 ? LAUNCH_MODEX_OK : modex_need_launch(job);
    if (failed) return failed;
    if (timeout_ms == 0)
        failed = modex_wire_ask(&job->wire, "lookup_result", "cmd=lookup_name service=%s", name);
    else
        failed = modex_wire_ask(&job->wire, "lookup_result", "cmd=launch_lookup wait=%d service=%s",
                                timeout_ms, name);
    failed = modex_missing(job, modex_keep_reason(job, failed, MODEX_REASON_OF_PMI1),
                           timeout_ms == 0 ? LAUNCH_MODEX_ENOTFOUND : LAUNCH_MODEX_ETIMEOUT);
    return failed ? failed : copy_field(job, "port", value, size);
}

static int kind_of(struct modex_field word) {
    static const char* const words[] = {"hosts_joined", "hosts_left", "processes_joined",
                                        "processes_left", "process_failed"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word.text && word.length == strlen(words[i]) &&
            memcmp(word.text, words[i], word.length) == 0)
            return LAUNCH_MODEX_HOSTS_JOINED + (int)i;
    return 0;
}

static long number_of_field(const launch_modex* job, const char* name) {
    const struct modex_field field = modex_wire_field(&job->wire, name);
    return field.text ? strtol(field.text, NULL, 10) : 0;
}

int launch_modex_next_event(launch_modex* job, int timeout_ms, struct launch_modex_event* event) {
    modex_forget_reason(job);
    if (!job || !event || timeout_ms < -1) return LAUNCH_MODEX_EARGUMENT;
    int failed = modex_need_launch(job);
    if (failed) return failed;
    failed = modex_keep_reason(
        job,
        modex_wire_ask(&job->wire, "launch_result", "cmd=launch_event since=%lu wait=%d", job->seen,
                       timeout_ms),
        MODEX_REASON_OF_LAUNCH);
    if (failed == LAUNCH_MODEX_EREFUSED && strcmp(job->reason, "no_event") == 0) {
        modex_forget_reason(job);
        return LAUNCH_MODEX_ETIMEOUT;
    }
    if (failed) return failed;
    event->number = (unsigned long)number_of_field(job, "number");
    event->kind = kind_of(modex_wire_field(&job->wire, "kind"));
    event->count = (int)number_of_field(job, "count");
    event->rank = (int)number_of_field(job, "rank");
    if (event->number <= job->seen) return LAUNCH_MODEX_EPROTOCOL;
    job->seen = event->number; /* also of a kind that only later versions know: kind is 0 then */
    return copy_field(job, "name", event->name, sizeof event->name);
}
