/** Text of a service in messages: of bounded length, and without the token, should the service send it back. */

/** Makes a service's text fit to be shown. */
export type ShowText = (text: string) => string;

const MAX_LENGTH = 2048;
const CUT = "... (cut)";
/** A shorter secret is none, and would hide parts of common words. */
const MIN_SECRET_LENGTH = 8;

/** At most 2 KB of a text, with a mark where it is cut. */
export function cutText(text: string): string {
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
    return isWhole ? cutText(masked) : `${masked.slice(0, Math.min(MAX_LENGTH, masked.length - reach))}${CUT}`;
  };
}

/** Hides secrets in a text, also where they are URL-encoded, escaped for JSON or HTML, or in other case. */
export function createMask(secrets: Iterable<string>): (text: string) => string {
  const patterns = [...secrets].filter(({ length }) => length >= MIN_SECRET_LENGTH).map(describeSecret);
  if (patterns.length === 0) return (text) => text;
  const secret = new RegExp(patterns.join("|"), "gi");
  return (text) => text.replace(secret, "***");
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
