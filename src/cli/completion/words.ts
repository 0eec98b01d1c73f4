/** Splits a line into words as a POSIX shell does, but leaves expansions (`$(…)`, `$NAME`) unchanged. */

export interface TypedWord {
  /** Without quotes and escapes. */
  readonly text: string;
  readonly raw: string;
  /** The position in `raw` after each character of `text`. */
  readonly ends: readonly number[];
  readonly quote: Quote;
  /** True if the shell expands it, so that its value is unknown here. */
  readonly isExpanded: boolean;
  /** True if it starts with a `~` that the shell expands. */
  readonly hasTilde: boolean;
  readonly isRedirected: boolean;
}

type Quote = "" | "'" | '"';

/** The words of the last command on a line. The last word extends to the end of the line and may be empty. */
export function listTypedWords(line: string): TypedWord[] {
  let words: TypedWord[] = [];
  let tokens: ShellToken[] = [];
  let isRedirected = false;
  for (const token of readTokens(line)) {
    const { kind } = token;
    if (isPart(token)) {
      tokens.push(token);
      continue;
    }
    // The number in `2>` is not a word.
    const isWord = tokens.length > 0 && !(kind === "redirection" && tokens.every(({ raw }) => /\d/.test(raw)));
    if (isWord) words.push(toWord(tokens, isRedirected));
    if (kind === "end") words = [];
    isRedirected = kind === "redirection" || (isRedirected && kind === "space" && !isWord);
    tokens = [];
  }
  return [...words, toWord(tokens, isRedirected)];
}

/** Undefined if the text is not a single word. */
export function readWord(raw: string): TypedWord | undefined {
  const tokens = [...readTokens(raw)];
  return tokens.every(isPart) ? toWord(tokens, false) : undefined;
}

/** The next part of a line: a character of a word, an expansion, or a separator. */
interface Part {
  readonly kind: "text" | "expansion" | "space" | "redirection" | "end";
  readonly length: number;
  /** Its text without quotes and escapes; by default the raw text. */
  readonly text?: string;
  /** The quote that is open after it; unchanged by default. */
  readonly quote?: Quote;
}

type ShellToken = Required<Part> & { readonly raw: string };

function isPart({ kind }: ShellToken): boolean {
  return kind === "text" || kind === "expansion";
}

function toWord(tokens: readonly ShellToken[], isRedirected: boolean): TypedWord {
  let end = 0;
  return {
    text: tokens.map(({ text }) => text).join(""),
    raw: tokens.map(({ raw }) => raw).join(""),
    ends: tokens.flatMap(({ text, raw }) => {
      end += raw.length;
      return Array.from({ length: text.length }, () => end);
    }),
    quote: tokens.at(-1)?.quote ?? "",
    isExpanded: tokens.some(({ kind }) => kind === "expansion"),
    hasTilde: tokens[0]?.raw === "~",
    isRedirected,
  };
}

function* readTokens(line: string): Generator<ShellToken> {
  let quote: Quote = "";
  for (let at = 0; at < line.length; ) {
    const part: Part = quote === "" ? readPlain(line, at) : readQuoted(line, at, quote);
    const raw = line.slice(at, at + part.length);
    const token: ShellToken = { text: raw, quote, ...part, raw };
    yield token;
    quote = token.quote;
    at += part.length;
  }
}

function readPlain(line: string, at: number): Part {
  const char = line.charAt(at);
  if (/^(?:[$`]|[<>]\()/.test(line.slice(at, at + 2))) return { kind: "expansion", length: measureExpansion(line, at) };
  if (char === " " || char === "\t") return { kind: "space", length: 1 };
  if (/[\n;&|()]/.test(char)) return { kind: "end", length: 1 };
  if (/[<>]/.test(char)) return { kind: "redirection", length: /^[<>]+[&|]?/.exec(line.slice(at))?.[0].length ?? 1 };
  if (char === "'" || char === '"') return { kind: "text", length: 1, text: "", quote: char };
  if (char !== "\\") return { kind: "text", length: 1 };
  // At the end of the line, a backslash escapes a character that is not typed yet.
  return { kind: at + 1 < line.length ? "text" : "expansion", length: 2, text: line.charAt(at + 1) };
}

function readQuoted(line: string, at: number, quote: Quote): Part {
  const char = line.charAt(at);
  if (char === quote) return { kind: "text", length: 1, text: "", quote: "" };
  if (quote === "'") return { kind: "text", length: 1 };
  if (/^\\["\\$`]/.test(line.slice(at, at + 2))) return { kind: "text", length: 2, text: line.charAt(at + 1) };
  return /[$`]/.test(char) ? { kind: "expansion", length: measureExpansion(line, at) } : { kind: "text", length: 1 };
}

/**
 * The length of `$(…)` or `<(…)` with its nested parts, of `` `…` ``, or of a single `$`; up to the end of the line if
 * unclosed.
 */
function measureExpansion(line: string, at: number): number {
  const rest = line.slice(at);
  if (rest.startsWith("`")) return /^`(?:\\.|[^`\\])*`?/s.exec(rest)?.[0].length ?? 1;
  if (!/^.\(/.test(rest)) return 1;
  let depth = 0;
  for (const { 0: part, index } of rest.matchAll(/\\.|'[^']*'?|"(?:\\.|[^"\\])*"?|[()]/gs)) {
    if (part === "(") depth++;
    if (part === ")") depth--;
    if (depth === 0) return index + 1;
  }
  return rest.length;
}
