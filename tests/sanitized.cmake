# What of the end-to-end tests tests/check runs under each sanitizer (label `ci`): scripts, or script:case. All others are
# there too, for tests/check --long: they take several times as long as elsewhere, which the bounds of some do not bear.
if(LAUNCH_SANITIZE MATCHES address)
  set(sanitized streams signals remains pmix_service
    ssh:every_host_answers_with_its_name
    ssh:bytes_through_a_deep_tree_come_back
    errors:all_bad_hosts_are_told_at_once_folded_by_cause
    errors:a_look_up_that_hangs_holds_no_other_host_up
    errors:a_look_up_that_hangs_does_not_outlive_an_interrupt
    pmi:at_the_port_a_rank_is_what_it_is_elsewhere
    pmi:rubbish_ends_the_job_with_one_message
    routing:a_host_that_is_lost_is_got_round
    routing:where_peers_cannot_be_reached_the_tree_carries_all)
elseif(LAUNCH_SANITIZE MATCHES thread)
  # ThreadSanitizer makes fork(2) of vfork(2): what a child tells through shared memory is lost there, so no test of
  # programs that cannot be executed is among these.
  set(sanitized pmix_service
    local:the_first_line_of_the_readme
    local:every_topology_and_degree_reaches_every_host
    streams:bytes_come_through_as_they_are
    streams:standard_input_goes_to_whom_it_is_for
    signals:an_interrupt_is_the_ranks_to_answer
    signals:a_second_interrupt_kills
    ssh:every_host_answers_with_its_name
    ssh:bytes_through_a_deep_tree_come_back
    errors:a_refused_port
    errors:all_bad_hosts_are_told_at_once_folded_by_cause)
endif()
