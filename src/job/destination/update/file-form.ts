/** How the rows of the file that is updated are read, and by which clock. */
import { NETWORK_ZONE } from "../../../time/zone.ts";
import { printsAsSent } from "../../output.ts";
import type { Descriptor } from "../../package/descriptor.ts";
import { addColumns, startColumns } from "../../../series/layout/columns.ts";
import { createLayout } from "../../../series/layout/create-layout.ts";
import { listQueryLabels } from "../../../query/pivot.ts";
import { MINUTE } from "../../../time/local-time.ts";
import { findSentOffset, hasOffset } from "../../../time/stamp.ts";
import { createStampReader } from "../../../time/stamp-reader.ts";
import { createNetworkClock, findKnownOffset, type NetworkClock } from "../continue/network-clock.ts";
import { toItems } from "../continue/known-columns.ts";
import { refuseHeaderless, refuseOffset } from "./check-rows.ts";
import type { UpdateFacts } from "./facts.ts";
import type { FileForm, OldFile } from "./old-file.ts";
import { createTextForm } from "./text-form.ts";

/** `isCurrent`: the description is of this state of the file. @throws {EntsError} usage: neither the description nor the file says how to read the rows. */
export function createFileForm(facts: UpdateFacts, described: Descriptor | undefined, isCurrent: boolean): FileForm {
  const { target, query, output } = facts;
  const { layout, zone, formatOptions } = output;
  const { metrics, interval } = query;
  const known = addColumns(startColumns(metrics, { interval, pivot: layout.pivot }), toItems(described?.series ?? []));
  const { columns } = createLayout(layout, known);
  const labels = [
    ...columns.filter(({ kind }) => kind === "text").map((column) => column.name),
    ...listQueryLabels(query),
    "network_label",
  ];
  const form = createTextForm(output);
  const names = isCurrent && described ? columns.map((column) => column.name) : undefined;
  const offset = described?.offset ?? findKnownOffset(query.network);
  const timeFormat = formatOptions.timeFormat ?? "iso";
  if (target.old?.size && form.names === "nowhere" && !names) throw refuseHeaderless(target.name);
  if (target.old?.size && timeFormat === "local" && zone === NETWORK_ZONE && offset === undefined) throw refuseOffset(facts, described);
  return {
    form,
    // If unknown: as for timestamps of a service, UTC.
    readStamp: createStampReader(zone, timeFormat, (offset ?? 0) / MINUTE),
    columns: { layout, metrics, labels },
    names,
  };
}

/** @throws {EntsError} usage: nothing tells the offset of a network that ents does not know. */
export function findClock(facts: UpdateFacts, described: Descriptor | undefined, { last: { stamp } }: OldFile): NetworkClock {
  const { query, output } = facts;
  // `Z` may only be how the timestamps are written, not the network's offset.
  const sent = printsAsSent(output) && hasOffset(stamp) && !stamp.endsWith("Z") ? findSentOffset(stamp) * MINUTE : undefined;
  const offset = described ? described.offset : sent;
  if (!described && offset === undefined && findKnownOffset(query.network) === undefined) throw refuseOffset(facts, described);
  return createNetworkClock(query.network, offset);
}
