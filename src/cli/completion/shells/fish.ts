import type { Shell } from "../candidate.ts";
import { readWord } from "../words.ts";

/**
 * fish filters and quotes the candidates. `commandline -o` removes quotes and expands nothing. fish also loads, at the
 * first TAB or once they change, completions that it has made from the man page: the script makes it load them, and
 * removes them.
 */
const script = `# Completion of ents for fish, made by 'ents completion fish'.
function __ents_alone
    complete -c ents -e
    complete -c ents -f -k -a '(__ents_complete)'
end
function __ents_complete
    set -l word (commandline -ct)
    set -l words (commandline -opc)
    set -e words[1]
    command ents __complete fish "$word" $words 2>/dev/null
    __ents_alone
end
complete -C 'ents ' >/dev/null 2>&1
__ents_alone
`;

/** The script passes the word as typed, and the words before it without quotes. */
export const fish: Shell = {
  script,
  install: [
    { command: "ents completion fish | source", does: "in ~/.config/fish/config.fish" },
    {
      command: "ents completion fish > ~/.config/fish/completions/ents.fish",
      does: "or once, into the folder of completions",
    },
  ],
  read: ([raw = "", ...words]) => {
    const word = readWord(raw);
    if (!word) return undefined;
    return {
      words,
      word,
      print: ({ prefix, candidates }) =>
        candidates.map(({ value, help }) => prefix + value + (help ? `\t${help}` : "")),
    };
  },
};
