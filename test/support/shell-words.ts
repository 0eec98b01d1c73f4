/** A line that calls `ents` and needs no shell. */
export interface PlainLine {
  readonly args: readonly string[];
  /** The text on standard input. */
  readonly stdin: string;
  /** Variables that are set or removed. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Reads `[unset NAME; ][echo WORD | ][NAME=WORD …]ents <words and quotes>`; undefined for any other line. */
export function readPlainLine(line: string): PlainLine | undefined {
  const [, unset, said, set = "", words] = LINE.exec(line) ?? [];
  if (words === undefined) return undefined;
  const args = [...words.matchAll(WORD)].map(([word]) => unquote(word));
  const env: Record<string, string | undefined> = unset === undefined ? {} : { [unset]: undefined };
  for (const [, name = "", value = ""] of set.matchAll(ASSIGNMENT)) env[name] = unquote(value);
  return { args, env, stdin: said === undefined ? "" : `${said}\n` };
}

/** The commands of a line, separated by `; `, and the parts of each, separated by ` | `. */
export function splitLine(line: string): string[][] {
  return split(line, "; ").map((command) => split(command, " | "));
}

function split(line: string, separator: string): string[] {
  const parts = line.match(/'[^']*'|"[^"]*"|[^'"]+/g) ?? [];
  const texts = [""];
  for (const part of parts) {
    const [first = "", ...rest] = /^['"]/.test(part) ? [part] : part.split(separator);
    texts.push(`${texts.pop()}${first}`, ...rest);
  }
  return texts;
}

function unquote(word: string): string {
  return word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2");
}

const LINE =
  /^(?:unset (\w+); )?(?:echo (\w+) \| )?((?:[A-Z_]+=(?:[\w./:-]+|'[^'\n]*') )*)ents((?: |[\w@%+:,./=-]|'[^'\n]*'|"[^"$`\\\n]*")*)$/;
const ASSIGNMENT = /([A-Z_]+)=([\w./:-]+|'[^'\n]*') /g;
const WORD = /(?:[^ '"]|'[^']*'|"[^"]*")+/g;
