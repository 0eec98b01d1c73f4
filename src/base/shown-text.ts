/** Masks tokens that a service may echo, in messages and in data, and limits the length of its text in messages. */

/** Masks and shortens a service's text for messages. */
export type ShowText = (text: string) => string;

const MAX_LENGTH = 2048;
const CUT = "... (cut)";
/** Shorter secrets are not masked: they would match parts of common words. */
const MIN_SECRET_LENGTH = 8;

/** The first 2,048 characters of a text, with a mark if it was cut. */
export function shortenText(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}${CUT}` : text;
}

/** Masks a secret in texts and shortens them. */
export function createShowText(secret: string): ShowText {
  const mask = createMask([secret]);
  const reach = secret.length * MAX_ENCODED_LENGTH;
  return (text) => {
    // Masked before it is cut, since a secret across the cut would not match.
    const start = text.slice(0, MAX_LENGTH + 2 * reach);
    const masked = mask(start);
    const isWhole = start.length === text.length;
    return isWhole ? shortenText(masked) : `${masked.slice(0, Math.min(MAX_LENGTH, masked.length - reach))}${CUT}`;
  };
}

/** Masks secrets in a text, in any case, even if they are URL-encoded or escaped for JSON or HTML. */
export function createMask(secrets: Iterable<string>): (text: string) => string {
  const patterns = [...secrets].filter(({ length }) => length >= MIN_SECRET_LENGTH).map(describeSecret);
  if (patterns.length === 0) return (text) => text;
  const secret = new RegExp(patterns.join("|"), "gi");
  return (text) => text.replace(secret, MARK);
}

export type MaskBody = (body: Buffer) => Buffer;

/** Masks secrets in a body; returns the same buffer if it has none. A search takes a millisecond for 20 MB. */
export function createBodyMask(secrets: Iterable<string>): MaskBody {
  // Short and numeric secrets are skipped: they could match data.
  const finders = [...secrets]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH && !/^[\d.eE+-]*$/.test(secret))
    .map(createSecretFinder);
  return (body) => finders.flatMap((find) => find(body)).reduce(replaceAll, body);
}

const MARK = "***";

/**
 * Finds the spellings of a secret in a body by its longest word, since its punctuation may be escaped for JSON or a
 * URL.
 */
function createSecretFinder(secret: string): (body: Buffer) => string[] {
  const word = secret.split(/\W+/).reduce((longest, part) => (part.length > longest.length ? part : longest));
  const pattern = new RegExp(describeSecret(secret), "gi");
  const reach = secret.length * MAX_ENCODED_LENGTH;
  return (body) => {
    const found = new Set<string>();
    for (let at = body.indexOf(word); word !== "" && at >= 0; at = body.indexOf(word, at + word.length)) {
      const around = body.subarray(Math.max(0, at - reach), at + reach).toString("latin1");
      for (const spelling of around.match(pattern) ?? []) found.add(spelling);
    }
    return [...found];
  };
}

function replaceAll(body: Buffer, text: string): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = body.indexOf(text); at >= 0; at = body.indexOf(text, from)) {
    parts.push(body.subarray(from, at), Buffer.from(MARK));
    from = at + Buffer.byteLength(text);
  }
  return from === 0 ? body : Buffer.concat([...parts, body.subarray(from)]);
}

/** The longest encoding of a character: `&#x0000e9;` */
const MAX_ENCODED_LENGTH = 10;

function describeSecret(secret: string): string {
  return Array.from(secret, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16);
    const plain = character.replace(/[^\w]/g, "\\$&");
    return `(?:\\\\?${plain}|%(?:25)?${hex}|\\\\u00${hex}|&#x0{0,4}${hex};|&#0{0,4}${code};)`;
  }).join("");
}
