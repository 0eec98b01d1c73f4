/** A line that calls `ents` and needs no shell for it. */
export interface PlainLine {
  readonly args: readonly string[];
  /** What is on standard input. */
  readonly stdin: string;
  /** Variables that are set, or taken out of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads `[unset NAME; ][echo WORD | ][NAME=WORD ]ents <words and quotes>`; undefined for any other line. */
export function readPlainLine(line: string): PlainLine | undefined {
  const [, unset, said, name, value, words] = LINE.exec(line) ?? [];
  if (words === undefined) return undefined;
  const args = [...words.matchAll(WORD)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  const env = { ...(unset === undefined ? {} : { [unset]: undefined }), ...(name === undefined ? {} : { [name]: value }) };
  return { args, env, stdin: said === undefined ? "" : `${said}\n` };
}

const LINE = /^(?:unset (\w+); )?(?:echo (\w+) \| )?(?:([A-Z_]+)=(\w+) )?ents((?: |[\w@%+:,./=-]|'[^'\n]*'|"[^"$`\\\n]*")*)$/;
const WORD = /(?:[^ '"]|'[^']*'|"[^"]*")+/g;
