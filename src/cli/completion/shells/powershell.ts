import { type Completion, listMatches, type Shell } from "../candidate.ts";
import type { TypedWord } from "../words.ts";

/**
 * For Windows PowerShell 5.1 and later. Its arguments lose quotes and empty words, so the script passes words in the
 * environment.
 */
const script = `# Completion of ents for PowerShell, made by 'ents completion powershell'.
Register-ArgumentCompleter -Native -CommandName ents -ScriptBlock {
    param($word, $command, $cursor)
    $typed = @()
    $last = ''
    foreach ($element in ($command.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -lt $cursor) {
            if ($element.Value -is [string]) { $typed += $element.Value } else { $typed += $element.Extent.Text }
        } elseif ($element.Extent.StartOffset -lt $cursor) {
            $last = $element.Extent.Text.Substring(0, $cursor - $element.Extent.StartOffset)
        }
    }
    $env:ENTS_TYPED = (@($word, $last) + $typed) -join "\`n"
    try {
        ents __complete powershell 2>$null | ForEach-Object {
            $text, $shown, $help = $_ -split "\`t"
            [System.Management.Automation.CompletionResult]::new($text, $shown, 'ParameterValue', $help)
        }
    } finally {
        Remove-Item Env:ENTS_TYPED
    }
}
`;

/**
 * The script passes the text that a candidate replaces, the word up to the cursor, and the words before it without
 * quotes.
 */
export const powershell: Shell = {
  script,
  install: [
    { command: "ents completion powershell | Out-String | Invoke-Expression", does: "in the file that $PROFILE names" },
    { command: "ents completion powershell | Add-Content $PROFILE", does: "or once, at the end of that file" },
  ],
  read: (_args, { ENTS_TYPED }) => {
    if (ENTS_TYPED === undefined) return undefined;
    const [replaced = "", raw = "", ...words] = ENTS_TYPED.split("\n");
    const word = readPowerShellWord(raw);
    const kept = raw.endsWith(replaced)
      ? readPowerShellWord(raw.slice(0, raw.length - replaced.length)).text.length
      : 0;
    return { words, word, print: (completion) => printCandidates(completion, word, kept) };
  },
};

function printCandidates({ prefix, candidates }: Completion, word: TypedWord, kept: number): string[] {
  const help = new Map(candidates.map((candidate) => [prefix + candidate.value, candidate.help]));
  return listMatches({ prefix, candidates }, word).map((text) =>
    [quoteForPowerShell(text.slice(kept)), text.slice(prefix.length), help.get(text) || text].join("\t"),
  );
}

/** Reads one word. Single quotes are doubled inside single quotes; elsewhere, a backtick escapes. */
function readPowerShellWord(raw: string): TypedWord {
  const [quote = ""] = /^['"]/.exec(raw) ?? [];
  const rest = raw.slice(quote.length);
  const text = quote === "'" ? rest.replaceAll("''", "'") : rest.replace(/`(.)/gs, "$1");
  const isExpanded = quote !== "'" && /[$(]/.test(rest);
  return {
    text,
    raw,
    ends: [],
    quote: "",
    isExpanded,
    hasTilde: quote === "" && text.startsWith("~"),
    isRedirected: false,
  };
}

function quoteForPowerShell(text: string): string {
  return /^[\w./\\:=+~-]+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}
