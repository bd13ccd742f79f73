// SPDX-License-Identifier: MIT
#pragma once

#include "core/job/job_spec.hpp"

/// How long the nodes of a job wait for one another, and which must wait longer than which.
namespace launch::patience {

// Silence, in beats of a Heartbeat.

/// So many beats are the limit that the user gave, `--liveness`.
inline constexpr int beats = 4;
/// A neighbour is dead after this many silent beats, so at the latest when the limit has passed,
/// except for beats that are `excused` ...
inline constexpr int neighbour = 3;
/// ... and while the tree still grows and hosts are busy, after so many.
inline constexpr int at_start = 12;
/// The head runs where its user works: it is stopped, its machine sleeps or is out of reach for a
/// moment, and no job of hours is to end for that. It may be away for so long, 30 s by default.
inline constexpr int head_away = 30;
/// Its last message may be two beats older.
inline constexpr int head = head_away + 2;
/// So long after it is back all are missed that left meanwhile.
inline constexpr int away_matters = 2 * head;
/// So many beats in all a neighbour that says nothing is waited for longer, as this process was
/// late itself.
inline constexpr int excused = 2 * head;

// A link that broke.

/// An ancestor that lives answers at once.
inline constexpr milliseconds dial{700};
/// A relay that has not found a new link after this time ends, and its ranks with it.
inline constexpr milliseconds renew{2300};
/// Until a child whose link broke has come back, or those below it have come here.
inline constexpr milliseconds come_back{2500};
/// The time to come back if the link did not end, but was silent: each node has beats of its own,
/// so nodes below may notice the silence up to a beat after the parent does.
constexpr milliseconds come_back_from_silence(milliseconds liveness) {
    return come_back + liveness / beats;
}
/// From the call of a node that looks for a parent until it has proved its identity; or until a
/// dismissed node has closed its link.
inline constexpr milliseconds attach{2000};
/// Until a transport knows how the command ended that it started there, if it did.
inline constexpr milliseconds exit_code{200};

// A link that moves to a direct one.

/// An address from which the transport came answers at once or is behind a firewall ...
inline constexpr milliseconds dial_direct{2000};
/// ... and is tried again after pauses that double, up to the longest.
inline constexpr milliseconds redial{5000};
inline constexpr milliseconds longest_redial{60'000};
/// A parent that has died hangs up on who calls: the link to it ends within this time.
inline constexpr milliseconds word_of_death{500};
/// The delay after which a node that was disconnected at once calls again; it grows each time.
inline constexpr milliseconds call_again{50};
/// From a neighbour's message that it has switched to the direct link until that link is there on
/// this side, too.
inline constexpr milliseconds follow{5000};

// Another tree, and links between any two nodes.

/// A few trips along the tree, at the head.
inline constexpr milliseconds trip{10'000};
/// A node that has no place in the routing tree yet says so to those who ask it for one, so often
/// ...
inline constexpr milliseconds hold{1000};
/// ... and who asks bears so long a silence. There is no limit to the whole, as places are taken
/// one after the other, and trees may be deep.
inline constexpr milliseconds place{3000};
/// At the head, which alone knows which nodes still look: until one more node has its position.
/// Nodes without one are given up then.
inline constexpr milliseconds go_over{8500};
/// Until all contacts have come and gone: two trips along the tree. Somebody waits for it.
inline constexpr milliseconds contacts{3000};

// A session and its clients.

/// Until each node has found out what its ranks cost ...
inline constexpr milliseconds usage{2000};
/// ... or in which functions they are, which may take a while where many ranks are ...
inline constexpr milliseconds stacks{5000};
inline constexpr milliseconds longest_survey{8000};
/// ... or, where a user has pressed ^C for the second time, for no longer than this ...
inline constexpr milliseconds stacks_of_killed{1500};
/// ... and until these answers have come up the tree. Nodes wait half of it for those below.
inline constexpr milliseconds survey_comes_up{1000};
/// Until a session has answered whatever a client asked.
inline constexpr milliseconds answer{10'000};
/// Until a job has heard of its session what its client asked for there; hosts that are to be
/// started, or to leave, have their own time beside it.
inline constexpr milliseconds session{20'000};

// Hosts that come and go.

/// A host that is down is tried again after this time, and after twice as long each time ...
inline constexpr milliseconds try_again{1000};
/// ... up to this, all of it more or less by up to a quarter, so that many do not come at once. One
/// that was up for as long before it was lost begins anew.
inline constexpr milliseconds longest_try_again{300'000};
/// Until slots are free of processes that are about to leave: who asked for them hears that they
/// are done before that.
inline constexpr milliseconds slots{2000};
/// The time that a node has to leave the tree beyond the time that its children have to move.
inline constexpr milliseconds remove{20'000};

// The end.

/// After a rank's SIGKILL: until its output is over, also where others hold the pipe ...
inline constexpr milliseconds killed_output{500};
/// ... and from there until it is given up, as nothing ends it.
inline constexpr milliseconds killed{2000};
/// Until the core files of ranks that died at the same time are taken and read (--core-dir) ...
inline constexpr milliseconds cores{4000};
/// ... and so long before that no further byte of them is copied.
inline constexpr milliseconds core_ends{1000};
/// The time that a relay gives its ranks when its parent is gone.
inline constexpr milliseconds orphans{500};
/// Until the children of a relay have left, or of the head, beside the time that processes have
/// which ranks left behind.
inline constexpr milliseconds leave{3000};
inline constexpr milliseconds leave_head{6000};
/// The whole of it. All nodes begin to end such processes at the same moment, so that the depth of
/// the tree does not count.
constexpr milliseconds leave_within(milliseconds kill_grace) {
    return kill_grace + leave;
}
constexpr milliseconds leave_head_within(milliseconds kill_grace) {
    return kill_grace + leave_head;
}
/// How long after its SIGKILL a process that ranks left behind is waited for.
inline constexpr milliseconds left_killed{2000};
/// The time for processes that remain here when no job sets one: those of earlier jobs, and relays
/// that play hosts of this machine, which have reported their end but still clean up.
inline constexpr milliseconds left_processes{1000};
/// More for children that have another parent in the routing tree: others watch over them.
inline constexpr milliseconds retired{500};
/// From a relay's last report until the head has confirmed it, or one more of those before it. Then
/// the relay leaves all the same.
inline constexpr milliseconds confirmed{10'000};
/// From a relay's last words until its parent hangs up. One that is silent is given up before.
inline constexpr milliseconds hang_up{40'000};

// The beginning.

/// From the start of a relay by a service that starts many until it has called back ...
inline constexpr milliseconds call_back{30'000};
/// ... for the file with the address to call, to be seen on its host ...
inline constexpr milliseconds call_file{2000};
/// ... and for one address: those that lead nowhere are not to use up that time.
inline constexpr milliseconds dial_back{5000};
/// From a relay's greeting until its parent's.
inline constexpr milliseconds greeting{60'000};
/// From there until its parent tells it what to do.
inline constexpr milliseconds part{40'000};

/// The longest silence that a head is granted where the user says nothing about it.
inline constexpr milliseconds usual_head = usual_liveness / beats * (head + 1);

static_assert(neighbour < beats, "the limit counts from the last word, beats from the next beat");
static_assert(neighbour < at_start && at_start < head);
static_assert(2 * dial < renew, "a second ancestor is asked when the first is silent");
static_assert(dial < attach && attach < come_back,
              "a node that is slow to attach finds its place still free");
static_assert(exit_code < come_back, "a command that has ended is known before its relay is lost");
static_assert(retired < leave, "a node that leaves has the rest of that time");
static_assert(renew < come_back, "a node that looks for a new parent is still waited for");
static_assert(
    hold < place && 2 * place + renew < go_over,
    "a node that hangs is bypassed, and one that cannot reparent stays, before either is lost");
static_assert(usage < longest_survey && stacks < longest_survey);
static_assert(longest_survey + survey_comes_up < answer && answer < session);
static_assert(2 * slots < session, "slots are waited for before hosts are added, too");
static_assert(dial_back < call_back, "another address can be tried");
static_assert(killed_output + killed < leave && leave < leave_head,
              "a node tells of a process that nothing ends before it is given up itself");
static_assert(cores < leave_head, "a rank whose core file is read is not given up");
static_assert(leave + come_back < leave_head,
              "a node that loses a child still has time to report it, though its link breaks then");
static_assert(left_killed < leave, "a node that cleans up is not given up");
static_assert(come_back < confirmed, "reports are said again where a link above breaks");
static_assert(usual_head < hang_up && usual_head < part, "a head may be away then, too");

}  // namespace launch::patience
