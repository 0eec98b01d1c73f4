/** Elements and attributes of SVG and HTML. */

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** `content` is markup already. */
export function element(name: string, attributes: Attributes, content = ""): string {
  const start = `<${name}${printAttributes(attributes)}`;
  return content === "" ? `${start}/>` : `${start}>${content}</${name}>`;
}

export function openElement(name: string, attributes: Attributes): string {
  return `<${name}${printAttributes(attributes)}>`;
}

function printAttributes(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${typeof value === "number" ? round(value) : escapeMarkup(value)}"`))
    .join("");
}

/** A tenth of a pixel cannot be seen. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text for an element or an attribute; what XML does not allow is replaced. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, "\ufffd")
    .replace(/[&<>"']/g, (one) => ENTITIES[one] as string);
}
