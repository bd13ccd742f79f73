# SPDX-License-Identifier: MIT
# End-to-end scripts that run a second time with each job in a session of its own (tests/e2e/harness/in_session.py), as
# session:SCRIPT:CASE, since a job there is to be as it is without one. The gate has one of each way that
# data, signals and errors take.
set(in_session streams signals mpi output stage json pty pmi)
set(in_session_gate
  streams:bytes_come_through_as_they_are
  streams:standard_input_goes_to_whom_it_is_for
  signals:signals_reach_every_process_group
  stage:nothing_is_replaced_and_no_link_followed)
# Their hosts do not start, so there is no session; a report of a job in a session says other things; and processes of a session
# have no terminal, as it outlives the one that it was started on.
set(not_in_session
  stage:what_cannot_be_staged_is_said_before_anything_starts
  json:a_report_is_as_documented
  signals:a_rank_that_wants_the_terminal_is_told_of)
