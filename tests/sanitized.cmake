# What tests/check runs under each sanitizer (label `ci`): scripts of tests/e2e, or script:case. All others are there too, for
# tests/check --long.
if(LAUNCH_SANITIZE MATCHES address)
  set(sanitized local streams signals remains pmix_service pmi routing errors ssh)
elseif(LAUNCH_SANITIZE MATCHES thread)
  # ThreadSanitizer makes fork(2) of vfork(2): what a child tells through shared memory is lost there, so no test of
  # programs that cannot be executed is among these.
  set(sanitized
    local:the_first_line_of_the_readme
    local:every_topology_and_degree_reaches_every_host
    streams:bytes_come_through_as_they_are
    streams:standard_input_goes_to_whom_it_is_for
    streams:a_slow_reader_stops_the_ranks_and_memory_stays_flat
    signals:an_interrupt_is_the_ranks_to_answer
    signals:what_ranks_say_when_interrupted_is_not_lost
    signals:a_second_interrupt_kills
    ssh:every_host_answers_with_its_name
    ssh:bytes_through_a_deep_tree_come_back
    errors:a_refused_port
    errors:all_bad_hosts_are_told_at_once_folded_by_cause
    errors:a_look_up_that_hangs_holds_no_other_host_up
    errors:a_look_up_that_hangs_does_not_outlive_an_interrupt)
endif()
