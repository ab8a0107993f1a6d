#compdef dashboard
# zsh completion for dashboard
_dashboard() {
  local line
  local -a found
  while IFS= read -r line; do
    # _describe takes word:help, with the colons of the word escaped
    found+=("${${line%%$'\t'*}//:/\\:}:${${line#*$'\t'}//:/\\:}")
  done < <("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( ${#found} )); then
    _describe -V dashboard found
  else
    _files
  fi
}
# Sourced, it registers itself; in a folder of $fpath, it is the function.
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
  _dashboard "$@"
else
  compdef _dashboard dashboard
fi
