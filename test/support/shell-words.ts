/** A line that calls `ents` and needs no shell for it. */
export interface PlainLine {
  readonly args: readonly string[];
  /** What is on standard input. */
  readonly stdin: string;
  /** A variable that is taken out of the environment. */
  readonly unset: string | undefined;
}

/** Reads `[unset NAME; ][echo WORD | ]ents <words and quotes>`; undefined for any other line. */
export function readPlainLine(line: string): PlainLine | undefined {
  const [, unset, said, words] = LINE.exec(line) ?? [];
  if (words === undefined) return undefined;
  const args = [...words.matchAll(WORD)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  return { args, unset, stdin: said === undefined ? "" : `${said}\n` };
}

const LINE = /^(?:unset (\w+); )?(?:echo (\w+) \| )?ents((?: |[\w@%+:,./=-]|'[^'\n]*'|"[^"$`\\\n]*")*)$/;
const WORD = /(?:[^ '"]|'[^']*'|"[^"]*")+/g;
