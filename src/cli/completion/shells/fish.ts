import type { Completion } from "../candidate.ts";
import { readWord } from "../words.ts";
import type { Shell } from "./shell.ts";

/** fish chooses among the candidates, and quotes them. `commandline -o` takes quotes off, and expands nothing. */
const script = `# Completion of ents for fish, made by 'ents completion fish'.
function __ents_complete
    set -l word (commandline -ct)
    set -l words (commandline -opc)
    set -e words[1]
    command ents __complete fish "$word" $words 2>/dev/null
end
complete -c ents -e
complete -c ents -f -k -a '(__ents_complete)'
`;

/** Gives the word as it stands, and the words before it without quotes. */
export const fish: Shell = {
  script,
  install: [
    { command: "ents completion fish | source", does: "in ~/.config/fish/config.fish" },
    { command: "ents completion fish > ~/.config/fish/completions/ents.fish", does: "or once, into the folder of completions" },
  ],
  read: ([raw = "", ...words]) => {
    const word = readWord(raw);
    return word && { words, word, print: printCandidates };
  },
};

function printCandidates({ prefix, candidates }: Completion): string[] {
  return candidates.map(({ value, help }) => [prefix + value, ...(help ? [help] : [])].join("\t"));
}
