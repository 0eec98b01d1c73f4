/** `ents log`: what the updates of an output did, what has changed, and which requests its rows are from. */
import type { Surroundings } from "../../base/report.ts";
import type { AnyTable } from "../../format/encode.ts";
import type { OutputValues } from "../../format/output-options.ts";
import { type FinishedRun, type LoggedChange, readChanges } from "../../store/journal.ts";
import type { Column, Row } from "../../series/layout/layout.ts";
import { type Duration, subtractDuration } from "../../time/duration.ts";
import { formatTimestamp, type LocalTime, MINUTE } from "../../time/local-time.ts";
import { openList } from "../open-list.ts";
import { countRechecked } from "../update/open-segments.ts";
import { goBack, type StoredOutput, openStored } from "./open-stored.ts";

interface LogValues extends Pick<OutputValues, "format" | "output" | "header" | "limit"> {
  readonly changes: boolean;
  readonly requests: boolean;
  readonly last?: Duration | undefined;
}

/** @throws {EntsError} usage: `--update` has not made the output; output. */
export async function logStored(path: string, options: LogValues, surroundings: Surroundings): Promise<void> {
  const { context, report } = surroundings;
  const output = await openStored(path, context);
  const { isTable, writeTable } = await openList({ ...options, foldsColumns: true }, surroundings);
  const from = options.last === undefined ? Number.NEGATIVE_INFINITY : subtractDuration(context.now(), options.last);
  const log: Log = { output, isTable, runs: output.journal.runs.filter(({ at }) => at >= from).toReversed() };
  if (options.requests) return writeTable(await tabulateRequests(log, surroundings));
  const { runs } = log;
  if (runs.length === 0) report.note(`${output.name} was not updated in that time`);
  else if (options.changes && !runs.some(hasChanges)) report.note("no value was restated or withdrawn");
  if (options.changes) return writeTable(await tabulateChanges(log));
  await writeTable(tabulateRuns(log));
}

interface Log {
  readonly output: StoredOutput;
  /** Newest first. */
  readonly runs: readonly FinishedRun[];
  /** True if a person reads it: times are then short. */
  readonly isTable: boolean;
}

const column =
  (kind: Column["kind"]) =>
  (name: string, minor?: number): Column => ({ name, kind, ...(minor === undefined ? {} : { minor }) });
const [text, value] = [column("text"), column("value")];
const date = (name: string): Column => ({ ...text(name), isTimestamp: true });

const RUNS = [
  date("when"),
  date("until"),
  value("added"),
  value("restated", 4),
  value("withdrawn", 3),
  value("rechecked", 1),
  value("requests", 0),
  text("version", 2),
];

function tabulateRuns({ output, runs, isTable }: Log): AnyTable {
  const rows = runs.map(
    ({ at, last, until = last, added, restated, withdrawn, asked, requests, version = null }): Row => {
      const counts = [
        added,
        restated,
        withdrawn,
        countRechecked(asked.map(([, reason, outcome]) => ({ reason, outcome }))),
        requests,
      ].map(String);
      return [
        showInstant(at, output, isTable),
        until === null ? null : showInstant(until, output, isTable),
        ...counts,
        version,
      ];
    },
  );
  return { columns: RUNS, rows };
}

function hasChanges({ restated, withdrawn }: FinishedRun): boolean {
  return restated + withdrawn > 0;
}

/** Newest first. Read twice: the labels must be known before the first row. */
async function tabulateChanges({ output, runs, isTable }: Log): Promise<AnyTable> {
  const changed = runs.filter(hasChanges);
  async function* read(): AsyncGenerator<readonly [FinishedRun, LoggedChange[]]> {
    for (const run of changed)
      for await (const changes of readChanges(output.folderPath, run.run)) yield [run, changes];
  }
  const labels = new Set<string>();
  for await (const [, changes] of read())
    for (const change of changes) for (const label of Object.keys(change.labels)) labels.add(label);
  async function* rows(): AsyncGenerator<Row[]> {
    for await (const [{ at }, changes] of read()) {
      const seen = showInstant(at, output, isTable);
      yield changes.map(({ timestamp, network, metric, labels: values, old = null, now = null }): Row => {
        const shown = isTable ? timestamp.slice(0, SHORT.length) : timestamp;
        return [seen, shown, network, metric, ...Array.from(labels, (label) => values[label] ?? null), old, now];
      });
    }
  }
  const subject = [date("seen"), date("timestamp"), text("network", 0), text("metric", 1)];
  return {
    columns: [...subject, ...Array.from(labels, (label) => text(label)), value("old"), value("new")],
    rows: rows(),
  };
}

/** In order of time. Where two have the same period, a row is from the later one, if that has a value. */
async function tabulateRequests({ output, isTable }: Log, { context }: Surroundings): Promise<AnyTable> {
  const { folder } = await goBack(output, undefined, context);
  const show = (local: LocalTime | undefined) => (local === undefined ? null : showLocal(local, output, isTable));
  const segments = folder.segments.toSorted(
    (a, b) => (a.window.start ?? 0) - (b.window.start ?? 0) || a.receivedAt - b.receivedAt,
  );
  const rows = segments.map(({ window, receivedAt, reason = null, facts, name, path, service }): Row => {
    const url = service === "sandbox" ? path : service.replace(/\/$/, "") + path;
    const received = showInstant(receivedAt, output, isTable);
    return [
      show(window.start),
      show(window.end),
      received,
      reason,
      facts.version ?? null,
      String(facts.values),
      name,
      url,
    ];
  });
  const columns = [
    ...["start", "end", "received"].map(date),
    ...["reason", "version"].map((name) => text(name)),
    value("values"),
    text("file", 1),
    text("url", 0),
  ];
  return { columns, rows };
}

/** By the network's clock. */
function showInstant(instant: number, { offsetMinutes }: StoredOutput, isTable: boolean): string {
  return showLocal(instant + offsetMinutes * MINUTE, { offsetMinutes }, isTable);
}

function showLocal(local: LocalTime, { offsetMinutes }: Pick<StoredOutput, "offsetMinutes">, isTable: boolean): string {
  const timestamp = formatTimestamp(local, offsetMinutes);
  return isTable ? timestamp.slice(0, SHORT.length) : timestamp;
}

/** Times in a table. */
const SHORT = "2025-01-31T14:05";
