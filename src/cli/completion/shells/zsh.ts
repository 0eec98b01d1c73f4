import { readWord } from "../words.ts";
import type { Shell } from "../candidate.ts";

/** Works with `eval` and as a file in `fpath`. The flag `(Q)` removes quotes and expands nothing. */
const script = `#compdef ents
# Completion of ents for zsh, made by 'ents completion zsh'.
_ents() {
  local -a lines folders
  lines=("\${(@f)$(command ents __complete zsh "$compstate[quote]" "$PREFIX" "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}")
  (( $#lines > 1 )) || return 1
  # The first line is the start of the word that the candidates do not have.
  IPREFIX+=$lines[1]
  PREFIX=\${PREFIX#"$lines[1]"}
  shift lines
  folders=(\${(M)\${lines:#*:*}:#*/})
  lines=(\${lines:|folders})
  _describe -V 'ents' lines -M 'm:{[:lower:]}={[:upper:]}' -- folders -S '' -M 'm:{[:lower:]}={[:upper:]}'
}
if [[ $funcstack[1] == _ents ]]; then
  _ents "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _ents ents
fi
`;

/** The script passes the open quote, the word after it with its escapes, and the words before it without quotes. */
export const zsh: Shell = {
  script,
  install: [
    { command: 'eval "$(ents completion zsh)"', does: "in ~/.zshrc, after compinit" },
    { command: "ents completion zsh > ~/.zfunc/_ents", does: "or once, with fpath=(~/.zfunc $fpath) before compinit" },
  ],
  read: ([quote = "", prefix = "", ...words]) => {
    const word = readWord(quote + prefix);
    if (!word) return undefined;
    return {
      words,
      word,
      print: ({ prefix: before, candidates }) => {
        const end = before === "" ? quote.length : word.ends[before.length - 1];
        const entries = candidates.map(({ value, help }) =>
          [value, ...(help ? [help] : [])].map(escapeColons).join(":"),
        );
        return [word.raw.slice(quote.length, end), ...entries];
      },
    };
  },
};

function escapeColons(text: string): string {
  return text.replace(/[\\:]/g, "\\$&");
}
