/** What a service sends, without the token, should it send that back: in messages, of bounded length, and in its data. */

/** Makes a service's text fit to be shown. */
export type ShowText = (text: string) => string;

const MAX_LENGTH = 2048;
const CUT = "... (cut)";
/** Shorter texts are not hidden: they would match parts of common words. */
const MIN_SECRET_LENGTH = 8;

/** At most 2 KB of a text, with a mark where it is cut. */
export function shortenText(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}${CUT}` : text;
}

/** Hides the secret in texts, and cuts them. */
export function createShowText(secret: string): ShowText {
  const mask = createMask([secret]);
  const reach = secret.length * MAX_ENCODED_LENGTH;
  return (text) => {
    // Masked before it is cut: else the start of a secret at the cut would stay.
    const start = text.slice(0, MAX_LENGTH + 2 * reach);
    const masked = mask(start);
    const isWhole = start.length === text.length;
    return isWhole ? shortenText(masked) : `${masked.slice(0, Math.min(MAX_LENGTH, masked.length - reach))}${CUT}`;
  };
}

/** Hides secrets in a text, also where they are URL-encoded, escaped for JSON or HTML, or in other case. */
export function createMask(secrets: Iterable<string>): (text: string) => string {
  const patterns = [...secrets].filter(({ length }) => length >= MIN_SECRET_LENGTH).map(describeSecret);
  if (patterns.length === 0) return (text) => text;
  const secret = new RegExp(patterns.join("|"), "gi");
  return (text) => text.replace(secret, MARK);
}

/** A body without secrets. */
export type MaskBody = (body: Buffer) => Buffer;

/** A body without a secret comes back as it is: one search takes a millisecond for 20 MB. */
export function createBodyMask(secrets: Iterable<string>): MaskBody {
  const finders = [...secrets].filter(isTellable).map(createFinder);
  return (body) => finders.flatMap((find) => find(body)).reduce(replaceAll, body);
}

const MARK = "***";
/** What numbers are made of. */
const NUMBER = /^[\d.eE+-]*$/;

/** Neither a word of the data, perhaps, nor digits of them. */
function isTellable(secret: string): boolean {
  return secret.length >= MIN_SECRET_LENGTH && !NUMBER.test(secret);
}

/** How a secret is spelled in a body: other signs than letters and digits may be escaped for JSON or a URL, so its longest word leads to it. */
function createFinder(secret: string): (body: Buffer) => string[] {
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

/** `&#x0000e9;` */
const MAX_ENCODED_LENGTH = 10;

function describeSecret(secret: string): string {
  return Array.from(secret, describeCharacter).join("");
}

function describeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  const plain = character.replace(/[^\w]/g, "\\$&");
  return `(?:\\\\?${plain}|%(?:25)?${hex}|\\\\u00${hex}|&#x0{0,4}${hex};|&#0{0,4}${code};)`;
}
