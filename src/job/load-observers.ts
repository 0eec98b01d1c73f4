import { existsSync } from "node:fs";
import type { Parts, Resolved, Surroundings } from "./export-parts.ts";
import type { Observer } from "./observer.ts";
import type { Output } from "./output.ts";
import { findDescriptor } from "./package/kept.ts";

/** Those that the flags ask for, in the order in which they tell. A description that is there is kept true. */
export async function loadObservers(
  { query, output, options, about }: Resolved,
  { plan, destination, progress }: Pick<Parts, "plan" | "destination" | "progress">,
  { context, report }: Surroundings,
): Promise<Observer[]> {
  const observers: Observer[] = [];
  const written = destination.written ?? query;
  // A dataset describes itself.
  if (output.target?.kind !== "folder" && (options.datapackage || options.update || (await isDescribed(output)))) {
    const { createDescriber } = await import("./package/describe.ts");
    observers.push(await createDescriber({ output, about, destination, countRows: () => progress.rows }, context));
  }
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

/** Whether ents has described the file that is there. */
async function isDescribed({ target }: Output): Promise<boolean> {
  const path = target?.kind === "file" ? findDescriptor(target.path) : undefined;
  if (path === undefined || !existsSync(path)) return false;
  const { readDescriptor } = await import("./package/descriptor.ts");
  return (await readDescriptor(path)) !== undefined;
}
