// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Escapes the control characters of untrusted text (`\u001b`), so that a terminal does not act on them. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same of lines, which keep their line breaks and tabs. */
export function escapeLines(lines: string): string {
  return lines.replace(/[^\n\t]+/g, escapeControls);
}

/** Assumed without a terminal, or if the terminal does not report its size. */
export const DEFAULT_SCREEN = { columns: 80, rows: 24 } as const;

/** Terminal lines that texts take. `measure` returns the columns of a line. */
export function countLines(texts: readonly string[], columns: number, measure = (line: string) => line.length): number {
  const lines = texts.flatMap((text) => text.replace(/\n$/, "").split("\n"));
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(measure(line) / columns)), 0);
}

export function bold(text: string): string {
  return `\u001b[1m${text}\u001b[22m`;
}

export function red(text: string): string {
  return `${RED}${text}${NO_RED}`;
}

/** Undoes `red`; returns other text unchanged. */
export function withoutRed(text: string): string {
  return text.startsWith(RED) ? text.slice(RED.length, -NO_RED.length) : text;
}

const RED = "\u001b[31m";
const NO_RED = "\u001b[39m";

export type Term = readonly [term: string, text: string];

export interface TermPage {
  readonly width: number;
  readonly measure?: (text: string) => number;
}

/** Lines in two columns, the second wrapped; words longer than the column are not split. */
export function formatTerms(terms: readonly Term[], page: TermPage): string[] {
  const { width, measure = ({ length }) => length } = page;
  const indent = 2 + Math.max(...terms.map(([term]) => measure(term)));
  return terms.flatMap(([term, text]) =>
    wrapText(text, { width: width - indent, measure }).map((line, index) => {
      const start = index === 0 ? term : "";
      return `${start}${" ".repeat(indent - measure(start))}${line}`.trimEnd();
    }),
  );
}

/** Wraps text at spaces to `width` cells; longer words are not split. */
export function wrapText(text: string, { width, measure }: Required<TermPage>): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || measure(`${line} ${word}`) > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/**
 * Matches `'ents list regions'`, `ents …` at the start of a line or after a colon, and flags with a number or a day
 * such as `--last 7d`.
 */
const COMMANDS = /(?<=^|[\s(])'[^']+'|(?<=^|: )ents .*$|(?<=^|\s)--?[a-z][a-z-]* (?:[\d-]\S*|yesterday|today)/g;
const NO_BREAK = "\u00a0";

/** Wraps text to `width` characters. Commands are not wrapped, so that they can be copied from the terminal. */
export function wrapMessage(text: string, width: number): string[] {
  const joined = text.replace(COMMANDS, (command) => command.replaceAll(" ", NO_BREAK));
  return wrapText(joined, { width, measure: ({ length }) => length }).map((line) => line.replaceAll(NO_BREAK, " "));
}
