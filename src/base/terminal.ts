// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Untrusted text with its control characters escaped (`\u001b`), so that a terminal does not act on them. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Where there is no terminal, or one that does not know its size. */
export const DEFAULT_SCREEN = { columns: 80, rows: 24 } as const;

/** The lines of a terminal that texts take. `measure`: the columns of a line. */
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

/** The text inside `red`; any other text as it is. */
export function withoutRed(text: string): string {
  return text.startsWith(RED) ? text.slice(RED.length, -NO_RED.length) : text;
}

const RED = "\u001b[31m";
const NO_RED = "\u001b[39m";
