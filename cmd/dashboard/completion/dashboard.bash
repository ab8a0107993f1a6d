# bash completion for dashboard
_dashboard() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    # bash completes only what follows the = of --flag=value
    [[ ${COMP_WORDS[COMP_CWORD]} == = || ${COMP_WORDS[COMP_CWORD-1]} == = ]] && line=${line#--*=}
    COMPREPLY+=("$line")
  done < <("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _dashboard dashboard
