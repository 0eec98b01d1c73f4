/** The words of a line as a POSIX shell reads them. What it would run or replace (`$(…)`, `$NAME`) stays as it stands. */

export interface TypedWord {
  /** Without quotes and escapes. */
  readonly text: string;
  /** As it was typed. */
  readonly raw: string;
  /** Where each character of the text ends in what was typed. */
  readonly ends: readonly number[];
  /** The quote that is open at its end. */
  readonly quote: Quote;
  /** Whether the shell expands it, so that its value is not known here. */
  readonly isExpanded: boolean;
  /** Whether it starts with a `~` that the shell replaces. */
  readonly hasTilde: boolean;
  /** Whether it is the file of a redirection. */
  readonly isRedirected: boolean;
}

export type Quote = "" | "'" | '"';

/** The words of the last command of a line. The last word ends where the line does, and may be empty. */
export function splitWords(line: string): TypedWord[] {
  let words: TypedWord[] = [];
  let tokens: Token[] = [];
  let isRedirected = false;
  for (const token of readTokens(line)) {
    const { kind } = token;
    if (isPart(token)) {
      tokens.push(token);
      continue;
    }
    // The number in `2>` is no word.
    const isWord = tokens.length > 0 && !(kind === "redirection" && tokens.every(({ raw }) => /\d/.test(raw)));
    if (isWord) words.push(toWord(tokens, isRedirected));
    if (kind === "end") words = [];
    isRedirected = kind === "redirection" || (isRedirected && kind === "space" && !isWord);
    tokens = [];
  }
  return [...words, toWord(tokens, isRedirected)];
}

/** One word; undefined if it is none. */
export function readWord(raw: string): TypedWord | undefined {
  const tokens = [...readTokens(raw)];
  return tokens.every(isPart) ? toWord(tokens, false) : undefined;
}

/** A character of a word, an expansion in it, or what is between words. */
interface Token {
  readonly kind: "text" | "expansion" | "space" | "redirection" | "end";
  readonly text: string;
  readonly raw: string;
  /** The quote that is open after it. */
  readonly quote: Quote;
}

function isPart({ kind }: Token): boolean {
  return kind === "text" || kind === "expansion";
}

function toWord(tokens: readonly Token[], isRedirected: boolean): TypedWord {
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

function* readTokens(line: string): Generator<Token> {
  let quote: Quote = "";
  for (let at = 0; at < line.length; ) {
    const part: Part = quote === "" ? readPlain(line, at) : readQuoted(line, at, quote);
    const raw = line.slice(at, at + part.length);
    quote = part.quote ?? quote;
    yield { kind: part.kind, text: part.text ?? raw, raw, quote };
    at += part.length;
  }
}

/** A token from its start: its length in the line, and its text and the quote after it where those change. */
interface Part {
  readonly kind: Token["kind"];
  readonly length: number;
  readonly text?: string;
  readonly quote?: Quote;
}

function readPlain(line: string, at: number): Part {
  const char = line.charAt(at);
  if (/^(?:[$`]|[<>]\()/.test(line.slice(at, at + 2))) return { kind: "expansion", length: measureExpansion(line, at) };
  if (char === " " || char === "\t") return { kind: "space", length: 1 };
  if (/[\n;&|()]/.test(char)) return { kind: "end", length: 1 };
  if (/[<>]/.test(char)) return { kind: "redirection", length: /^[<>]+[&|]?/.exec(line.slice(at))?.[0].length ?? 1 };
  if (char === "'" || char === '"') return { kind: "text", length: 1, text: "", quote: char };
  if (char !== "\\") return { kind: "text", length: 1 };
  // At the end, it escapes what is not typed yet.
  return { kind: at + 1 < line.length ? "text" : "expansion", length: 2, text: line.charAt(at + 1) };
}

function readQuoted(line: string, at: number, quote: Quote): Part {
  const char = line.charAt(at);
  if (char === quote) return { kind: "text", length: 1, text: "", quote: "" };
  if (quote === "'") return { kind: "text", length: 1 };
  if (/^\\["\\$`]/.test(line.slice(at, at + 2))) return { kind: "text", length: 2, text: line.charAt(at + 1) };
  return /[$`]/.test(char) ? { kind: "expansion", length: measureExpansion(line, at) } : { kind: "text", length: 1 };
}

/** The length of `$(…)`, `<(…)`, with what is nested in it, of `` `…` ``, or of the `$` of anything else; to the end of the line where it is not closed. */
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
