import { listTypedWords, type TypedWord } from "../words.ts";
import { listMatches, type Shell } from "../candidate.ts";

/**
 * For bash 3.2 (macOS) and later; 3.2 has no `compopt` and no `nosort`. Avoids `compgen`, which expands the typed text.
 */
const script = `# Completion of ents for bash, made by 'ents completion bash'.
_ents() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <(command ents __complete bash "$2" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -o nosort -F _ents ents 2>/dev/null || complete -F _ents ents
`;

/** The script passes the text before the cursor that a candidate replaces, and the command up to the cursor. */
export const bash: Shell = {
  script,
  install: [
    { command: 'eval "$(ents completion bash)"', does: "in ~/.bashrc" },
    {
      command: "ents completion bash > ~/.local/share/bash-completion/completions/ents",
      does: "or once, into the folder of the package bash-completion",
    },
  ],
  read: ([replaced = "", command = ""]) => {
    const words = listTypedWords(command).slice(1);
    const word = words.pop();
    if (!word?.raw.endsWith(replaced)) return undefined;
    const kept = word.ends.filter((end) => end <= word.raw.length - replaced.length).length;
    return {
      words: words.filter(({ isRedirected }) => !isRedirected).map(({ text }) => text),
      word,
      explains: false,
      print: (completion) => listMatches(completion, word).map((text) => quoteForBash(text, kept, word)),
    };
  },
};

/** The candidate, quoted for bash, after its first `kept` characters, which stay as typed. */
function quoteForBash(text: string, kept: number, { quote: open, hasTilde }: TypedWord): string {
  const rest = text.slice(kept);
  if (open === "'") return rest.replaceAll("'", "'\\''");
  // In double quotes, bash would keep a backslash before an exclamation mark.
  if (open === '"') return rest.replace(/["\\$`]/g, "\\$&").replaceAll("!", '"\\!"');
  return hasTilde && kept === 0 ? `~${quotePlain(rest.slice(1))}` : quotePlain(rest);
}

function quotePlain(text: string): string {
  // Most texts need no Unicode tables of letters, which take a millisecond to load.
  if (/^[\w@%+=:,./-]*$/.test(text)) return text;
  return text.replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, "\\$&");
}
