# End-to-end scripts that run a second time with each job in a session of its own (tests/e2e/harness/in_session.py), as
# session:SCRIPT:CASE, since a job there is to be as it is without one. All of it is for who asks (label `long`), but for a
# choice (label `ci`) that has each way that data, signals and errors take.
set(in_session streams signals mpi output stage)
set(in_session_ci
  streams:bytes_come_through_as_they_are
  streams:standard_input_goes_to_whom_it_is_for
  signals:an_interrupt_is_the_ranks_to_answer
  signals:a_second_interrupt_kills
  stage:nothing_is_replaced_and_no_link_followed
  stage:all_hosts_that_fail_are_told_in_one_line)
# Their hosts do not start, so there is no session.
set(not_in_session stage:what_cannot_be_staged_is_said_before_anything_starts)
