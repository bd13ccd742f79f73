# SPDX-License-Identifier: MIT
# Completion of launch's words in bash. Put it into ~/.bashrc: source <(launch completion bash)
# The words come from launch itself (launch __complete).

_launch() {
    # Bash parts words at = and : too; launch is asked with those that the user sees.
    local -a words=() at=()
    local rest=${COMP_LINE:0:COMP_POINT} word bare i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        bare=${rest#"${rest%%[![:space:]]*}"}
        if ((i > 0)) && [[ $bare == "$rest" && -n $word ]]; then
            words[-1]+=$word
        else
            words+=("$word")
            at+=("$i")
        fi
        rest=${bare#"$word"}
    done

    # The words before the last are over: launch is to see them as the shell will hand them over.
    for ((i = 1; i < ${#words[@]} - 1; i++)); do
        _launch_unquote "${words[i]}"
        words[i]=$REPLY
    done

    local piece=${COMP_WORDS[COMP_CWORD]} last=${words[-1]} program=${words[0]/#\~/$HOME}
    [[ $piece == [=:] ]] && piece=
    local before=${last%"$piece"} shell=:nothing text help
    local -a found=() helps=()
    while IFS=$'\t' read -r text help; do
        if [[ $text == :* && -z $help ]]; then
            shell=$text
        else
            found+=("${text#"$before"}")
            helps+=("$help")
        fi
    done < <("$program" __complete "${words[@]:1}" 2>/dev/null)

    # Two presses of Tab list the candidates (COMP_TYPE is ?): then with what each does.
    if [[ $COMP_TYPE == 63 && ${#found[@]} -gt 1 ]]; then
        for i in "${!found[@]}"; do
            [[ -n ${helps[i]} ]] && printf -v "found[$i]" '%-26s (%s)' "${found[i]}" "${helps[i]}"
        done
    fi
    COMPREPLY=("${found[@]}")
    # A word that ends with a colon goes on.
    [[ ${#found[@]} -eq 1 && ${found[0]} == *: ]] && compopt -o nospace

    case $shell in
    :files)
        compopt -o filenames
        while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -f -- "$piece")
        ;;
    :folders)
        compopt -o filenames
        while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -d -- "$piece")
        ;;
    :command*)
        _launch_program "${at[${shell#:command } + 1]}" "$piece"
        ;;
    esac
}

# The word without its quotes, in REPLY. Nothing is expanded: what runs a command must not run at Tab.
_launch_unquote() {
    local rest=$1 c quote=
    REPLY=
    while [[ -n $rest ]]; do
        c=${rest:0:1} rest=${rest:1}
        if [[ $c == \\ && $quote != "'" && -n $rest ]]; then
            [[ -n $quote && ${rest:0:1} != [\$\`\"\\] ]] && REPLY+=$c
            REPLY+=${rest:0:1} rest=${rest:1}
        elif [[ -z $quote && $c == [\'\"] ]]; then
            quote=$c
        elif [[ -n $quote && $c == "$quote" ]]; then
            quote=
        else
            REPLY+=$c
        fi
    done
}

# The words of the program that launch is to run: as bash completes them without launch.
_launch_program() {
    local offset=$1 piece=$2 text
    local -a ours=("${COMPREPLY[@]}")
    if ((offset < COMP_CWORD)) && declare -F _comp_command_offset >/dev/null; then
        _comp_command_offset "$offset"
    elif ((offset < COMP_CWORD)) && declare -F _command_offset >/dev/null; then
        _command_offset "$offset"
    else
        compopt -o filenames
        COMPREPLY=()
        local kind=-f
        ((offset == COMP_CWORD)) && [[ $piece != */* ]] && kind=-c
        while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen $kind -- "$piece" | sort -u)
    fi
    COMPREPLY=("${ours[@]}" "${COMPREPLY[@]}")
}

complete -F _launch launch
