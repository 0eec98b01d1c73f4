/** What the description of an output says of its flags, and of its query. */
import type { JsonObject } from "../../base/json.ts";
import { describePackage } from "../../format/datapackage.ts";
import type { About } from "../../format/format.ts";
import { nameJoined } from "../../series/layout/join.ts";
import type { Output } from "../output.ts";
import { parseQuery } from "./descriptor.ts";

export function describeOutput({ formatName, layout, formatOptions, zone, target }: Output): JsonObject {
  const { timeFormat, null: nullText, header } = formatOptions;
  return {
    format: formatName,
    shape: layout.shape,
    pivot: layout.pivot ?? null,
    interval_end: layout.intervalEnd ?? false,
    ...(layout.join ? { with: nameJoined(layout.join) } : {}),
    time_zone: zone.name,
    time_format: timeFormat ?? "iso",
    null: nullText ?? null,
    header,
    ...(target?.kind === "folder" ? { partition: target.period } : {}),
  };
}

/** As of `Descriptor`, for the run that is to come. */
export function describeQuery(about: About, { zone }: Pick<Output, "zone">): JsonObject {
  return parseQuery(describePackage({ columns: undefined, about, zone, requests: [] }));
}
