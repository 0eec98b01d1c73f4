/** The arguments of a plain `ents` line: words and quotes, nothing else of a shell. Undefined for any other line. */
export function splitPlain(line: string): string[] | undefined {
  if (!PLAIN.test(line)) return undefined;
  return [...line.slice("ents ".length).matchAll(WORD)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

const PLAIN = /^ents (?:[ \w@%+:,./=-]|'[^'\n]*'|"[^"$`\\\n]*")*$/;
const WORD = /(?:[^ '"]|'[^']*'|"[^"]*")+/g;
