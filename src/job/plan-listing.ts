/** A plan on a terminal: each request's window, and its address whole, to be copied. */
import { formatCount, formatNumber } from "../base/numbers.ts";
import { bold, DEFAULT_SCREEN } from "../base/terminal.ts";
import type { FormatOptions } from "../format/format.ts";
import type { Plan } from "../plan/plan.ts";
import type { Window } from "../query/window.ts";
import { formatShort } from "../time/local-time.ts";

export interface ListingOptions extends Pick<FormatOptions, "limit" | "screen"> {
  /** The address of a path. */
  readonly address: (path: string) => string;
}

/** The first and the last requests, as many as the terminal's height holds; `limit`: as many as that, 0 is all. */
export function* listPlan(plan: Pick<Plan, "windows">, { address, limit, screen }: ListingOptions): Generator<string> {
  const entries = plan.windows.flatMap(({ window, requests }) =>
    requests.map(({ path, points }, index) => {
      const batch = requests.length > 1 ? `, batch ${index + 1} of ${requests.length}` : "";
      const amount = points === undefined ? "" : `, about ${formatCount(points, "point")}`;
      return { heading: `${describeWindow(window)}${batch}${amount}`, url: address(path) };
    }),
  );
  const shown = limit === 0 ? entries.length : (limit ?? countFitting(entries, screen));
  const [first, last] = [Math.ceil(shown / 2), entries.length - Math.floor(shown / 2)];
  for (const [index, { heading, url }] of entries.entries()) {
    if (index === first && first < last) yield `... ${formatNumber(last - first)} more; --limit 0 shows all\n\n`;
    if (index >= first && index < last) continue;
    const title = `${index + 1}. ${heading}`;
    // Whole in a line of its own: a terminal wraps it, and a copy has no breaks.
    yield `${screen.colors ? bold(title) : title}\n${url}\n\n`;
  }
}

/** Lines for the totals, what is left out, and the prompt. */
const OTHER_LINES = 5;

function countFitting(
  entries: readonly { readonly url: string }[],
  { columns = DEFAULT_SCREEN.columns, rows = DEFAULT_SCREEN.rows }: FormatOptions["screen"],
): number {
  const longest = entries.reduce((most, { url }) => Math.max(most, Math.ceil(url.length / columns)), 1);
  return Math.max(2, Math.floor((rows - OTHER_LINES) / (longest + 2)));
}

function describeWindow({ start, end }: Window): string {
  if (start === undefined) return end === undefined ? "the service's default window" : `to ${formatShort(end)}`;
  return end === undefined ? `from ${formatShort(start)}` : `${formatShort(start)} to ${formatShort(end)}`;
}
