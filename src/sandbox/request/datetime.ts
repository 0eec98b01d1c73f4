import type { LocalTime } from "../../time/local-time.ts";

/** `offset`: a valid time with an offset. */
export type ParsedDateTime = { readonly local: LocalTime } | "malformed" | "offset";

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** `2025-01-31`, `2025-01-31T14:05`, `2025-01-31T14:05:30`: network-local, so without an offset. */
export function parseDateTime(text: string): ParsedDateTime {
  const [matched, date, time = "00:00", seconds = ":00", offset] = DATE_TIME.exec(text) ?? [];
  if (matched === undefined) return "malformed";
  const local = Date.parse(`${date}T${time}${seconds}Z`);
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== date) return "malformed";
  return offset === undefined ? { local } : "offset";
}
