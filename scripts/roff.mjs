/** Formats text as man(7) source: escaped, in short lines. */

const MAX_LINE = 78;

const ESCAPES = {
  "\\": String.raw`\e`,
  // Unescaped, these would be printed as typographic characters, which shells do not accept.
  "-": String.raw`\-`,
  "'": String.raw`\(aq`,
  '"': String.raw`\(dq`,
  "`": String.raw`\(ga`,
  "^": String.raw`\(ha`,
  "~": String.raw`\(ti`,
  "…": "...",
};

export function escapeText(text) {
  return text.replaceAll(/[\\'"`^~-]|[^\n -~]/g, (character) => ESCAPES[character] ?? `\\[u${toHex(character)}]`);
}

function toHex(character) {
  return character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

export function bold(text) {
  return `\\fB${escapeText(text)}\\fR`;
}

export function italic(text) {
  return `\\fI${escapeText(text)}\\fR`;
}

/** Formats `--limit <n>` or `[text...]`: flags and command names in bold, placeholders in italics. */
export function formatSyntax(syntax) {
  return syntax.replaceAll(/<([^>]+)>|[^<>[\], ]+|[[\], ]+/g, (part, argument) => {
    if (argument !== undefined) return formatArgument(argument);
    return /^[[\], ]/.test(part) ? part : bold(part);
  });
}

/** Formats `metric...` or `duration|off`: the first name is a placeholder, the other words are literal. */
function formatArgument(argument) {
  const [name, ...words] = argument.replace("...", "").split("|");
  return [italic(name), ...words.map(bold)].join("|") + (argument.endsWith("...") ? " ..." : "");
}

/** Formats help, with flags in bold. */
export function formatHelpText(text) {
  return text.replaceAll(/(?<![\w-])--?[a-z][a-z-]*(?![\w-])|(?:(?!(?<![\w-])--?[a-z])[^])+/g, (part) =>
    /^--?[a-z]/.test(part) ? bold(part) : escapeText(part),
  );
}

/** Converts Markdown: code becomes bold or syntax; bold and links become plain text. */
export function formatMarkdown(text) {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll("**", "")
    .split("`")
    .map((part, index) => (index % 2 === 0 ? escapeText(part) : part.includes("<") ? formatSyntax(part) : bold(part)))
    .join("");
}

/** Wraps text into lines of source. Escapes a line that starts with `.`, which would be a roff request. */
export function wrap(text) {
  const lines = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > MAX_LINE) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.map((line) => (line.startsWith(".") ? `\\&${line}` : line)).join("\n");
}

export function section(name, ...parts) {
  return [`.SH ${name}`, ...parts].join("\n");
}

export function subsection(name, ...parts) {
  return [`.SS ${name}`, ...parts].join("\n");
}

/** Formats paragraphs; the first of a section has no macro. */
export function paragraphs(...texts) {
  return texts.map(wrap).join("\n.PP\n");
}

/** A term and its description. */
export function entry(term, ...texts) {
  return [".TP", wrap(term), ...texts.map(wrap)].join("\n");
}

export function indent(...parts) {
  return [".RS", ...parts, ".RE"].join("\n");
}
