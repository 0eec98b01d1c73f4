/** Fetches the series of a plan from a source, and writes them to a destination. */
import { EntsError } from "../base/errors.ts";
import { warnOnce } from "../base/report.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { OUTPUT_FLAGS, OUTPUT_OPTIONS } from "../format/output-options.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { collectsAll, ColumnsChanged, type Encoding } from "../format/encode.ts";
import type { Plan } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { startColumns } from "../series/layout/columns.ts";
import { explainUnknownEnd, hasSummer } from "../series/intervals/grid.ts";
import type { Gaps } from "../series/gaps.ts";
import { type Chunk, mergeWindows } from "../series/merge.ts";
import { keepSettled } from "../series/settled.ts";
import { findLabel, type TimeSeries } from "../series/time-series.ts";
import { createGaps, fetchPlan, computeIfNeeded, transformIfNeeded } from "../source/fetch-series.ts";
import { lacksFacilities } from "../source/check-window.ts";
import type { FetchOptions } from "../source/windows.ts";
import type { Destination, PutOptions } from "./destination/interface.ts";
import type { Gathered } from "./gather.ts";

export interface Transfer extends FetchOptions {
  readonly plan: Plan;
  readonly note: (text: string) => void;
  /** Called with what only --verbose prints. */
  readonly detail: (text: string) => void;
  readonly destination: Destination;
  readonly encoding: Omit<Encoding, "columns" | "hasAllColumns" | "gaps">;
  readonly put?: PutOptions | undefined;
  /** The responses, if all of them are stored. */
  readonly known?: Gathered | undefined;
}

/** Completes a transfer, or leaves the destination unchanged. @throws {EntsError} of every kind. */
export async function runTransfer({ warn, ...rest }: Transfer): Promise<void> {
  const transfer = { ...rest, warn: warnOnce(warn) };
  const { plan, known, destination } = transfer;
  const { metrics, interval } = plan.query;
  const hasAllColumns = known !== undefined;
  const collects = collectsAll({ ...transfer.encoding, hasAllColumns });
  const { gaps, columns } = known ?? {
    gaps: createGaps(plan, { collects }),
    columns: startColumns(metrics, { interval, pivot: transfer.encoding.layout.pivot }),
  };
  let incomplete: EntsError | undefined;
  const onIncomplete = (error: EntsError) => (incomplete ??= error);
  const chunks = fetchChunks(transfer, { gaps, collects, onIncomplete });
  await destination
    .put(chunks, { ...transfer.encoding, gaps, columns, hasAllColumns }, transfer.put)
    .catch((error: unknown) => {
      throw error instanceof ColumnsChanged ? refuseColumns(error) : error;
    });
  // Formats with rows have failed before; the others have written the incomplete response.
  if (incomplete) transfer.warn(incomplete.message);
}

interface Pass {
  readonly gaps: Gaps;
  /** True if the format needs all chunks at once. */
  readonly collects: boolean;
  readonly onIncomplete: (error: EntsError) => void;
}

async function* fetchChunks(
  { plan, ...transfer }: Transfer,
  { gaps, collects, onIncomplete }: Pass,
): AsyncGenerator<Chunk> {
  const releaseBodies = !collects;
  const merged = transfer.known
    ? mergeWindows(transfer.known.windows(), transfer.warn, { gaps, releaseBodies })
    : fetchPlan(plan, { ...transfer, releaseBodies }, gaps);
  const computed = computeIfNeeded(merged, plan.query, { collects, warn: transfer.warn, note: transfer.note });
  const settled = plan.query.settledAt === undefined ? computed : keepAllSettled(computed, plan.query);
  const { chosen } = plan.query;
  const { units } = transfer.encoding.formatOptions;
  const printed = chosen ? (await import("../series/choose.ts")).chooseChunks(settled, chosen, units) : settled;
  const chunks = transformIfNeeded(printed, plan.query, { collects, warn: transfer.warn });
  for await (const chunk of chunks) {
    if (chunk.incomplete) onIncomplete(chunk.incomplete);
    for (const item of transfer.encoding.layout.intervalEnd ? chunk.timeSeries : []) {
      const why = explainUnknownEnd(item, plan.query.interval);
      if (why !== undefined) transfer.warn(why);
      if (hasSummer(item, plan.query.interval)) transfer.warn(SUMMER);
    }
    if (transfer.encoding.layout.join && !plan.query.computation?.groups && chunk.timeSeries.some(lacksUnits))
      transfer.warn(describeEmptyJoin(plan));
    yield chunk;
  }
  if (gaps.doubt !== undefined) transfer.warn(gaps.doubt);
  if (gaps.assumption !== undefined) transfer.detail(gaps.assumption);
  if (gaps.problem !== undefined)
    transfer.warn(`${gaps.problem}; ${TO_A_FILE}, so that ents knows it before the first row`);
}

async function* keepAllSettled(chunks: AsyncIterable<Chunk>, query: Query): AsyncGenerator<Chunk> {
  for await (const chunk of chunks)
    yield { ...chunk, timeSeries: keepSettled(chunk.timeSeries, query, query.settledAt ?? 0) };
}

const SUMMER =
  "interval_start and interval_end are empty for summers: OpenElectricity's summer is January, February and December of one year";

function lacksUnits({ series }: TimeSeries): boolean {
  return series.some((member) => member.points.instants.length > 0 && findLabel(member, UNIT_LABEL) === null);
}

function describeEmptyJoin({ query }: Plan): string {
  const what = `the columns of ${OUTPUT_FLAGS.with} are empty where rows have no ${UNIT_LABEL}`;
  return lacksFacilities(query) ? `${what}; add ${QUERY_FLAGS.facilityCode} to get it` : what;
}

function refuseColumns(cause: ColumnsChanged): EntsError {
  return new EntsError("refused", `${cause.message}, after the header was written`, {
    cause,
    hint: `${TO_A_FILE}, so that ents knows all columns before the first row`,
  });
}

const TO_A_FILE = `write to a file (${OUTPUT_OPTIONS.output.short}, without ${FETCH_FLAGS.resume})`;
