import type { Parts, Resolved, Surroundings } from "./export-parts.ts";
import type { Observer } from "./observer.ts";

/** Those that the flags ask for, in the order in which they tell. */
export async function loadObservers(
  { query, output, options }: Resolved,
  { plan, destination }: Pick<Parts, "plan" | "destination">,
  { context, report }: Surroundings,
): Promise<Observer[]> {
  const observers: Observer[] = [];
  const written = destination.written ?? query;
  if (options.summary)
    observers.push(
      (await import("./summarize.ts")).createSummarizer(written, output.zone, {
        isPart: destination.written !== undefined,
        context,
        report,
      }),
    );
  if (options.requireComplete || options.requireFresh)
    observers.push((await import("./require.ts")).createRequirement({ ...plan, query: written }, options));
  return observers;
}
