/** What every run that continues an output has in common, of the run that is to come. */
import type { JsonObject } from "../../base/json.ts";
import { describePackage } from "../../format/datapackage.ts";
import type { About } from "../../format/format.ts";
import type { Output } from "../output.ts";
import { type Continued, parseOrigin } from "./descriptor.ts";

/** The flags of the output: another run that continues it has the same. */
export function describeOutput({ formatName, layout, formatOptions, zone, target }: Output): JsonObject {
  const { timeFormat, null: nullText, header } = formatOptions;
  return {
    format: formatName,
    shape: layout.shape,
    pivot: layout.pivot ?? null,
    interval_end: layout.intervalEnd ?? false,
    time_zone: zone.name,
    time_format: timeFormat ?? "iso",
    null: nullText ?? null,
    header,
    ...(target?.kind === "folder" ? { partition: target.period } : {}),
  };
}

/** As a description of the run would tell it. `about`: with the whole query. */
export function describeOrigin(about: About, output: Output): Continued {
  const more = { output: describeOutput(output) };
  const { zone } = output;
  return parseOrigin(describePackage({ columns: undefined, about, zone, requests: [], more }));
}
