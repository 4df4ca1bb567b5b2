import { script } from '@bomb.sh/tab';

/** The shells that complete svc. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Prints the script that makes a shell ask `svc complete`. For bash it is our own: see docs/decisions/0071. */
export function printScript(shell: (typeof SHELLS)[number]): void {
  if (shell === 'bash') process.stdout.write(BASH);
  else script(shell, 'svc', 'svc');
}

/**
 * What was typed is handed over as words and never evaluated. Bash takes the part behind the last `:` or `=` for the word, so the part
 * in front is cut from the candidates. Without candidates bash completes files.
 */
const BASH = String.raw`# bash completion for svc

__svc_complete() {
    local -a words
    local line="\${COMP_LINE:0:COMP_POINT}" current cut candidate
    read -ra words <<< "$line"
    if [[ "$line" == *[[:space:]] ]]; then words+=(""); fi
    current="\${words[\${#words[@]}-1]}"
    cut=""
    if [[ "$current" == *[:=]* && "$COMP_WORDBREAKS" == *:* ]]; then cut="\${current%"\${current##*[:=]}"}"; fi
    COMPREPLY=()
    while IFS= read -r candidate; do
        if [[ "$candidate" == :* ]]; then continue; fi
        candidate="\${candidate%%$'\t'*}"
        COMPREPLY+=("\${candidate#"$cut"}")
    done < <(svc complete -- "\${words[@]:1}" 2>/dev/null)
}

complete -o default -F __svc_complete svc
`.replaceAll('\\$', '$');
