# fish completion for dashboard
function __dashboard_complete
    set -l words (commandline -opc)
    set -l found ($words[1] completion words -- $words[2..] (commandline -ct) 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c dashboard -f -a '(__dashboard_complete)'
