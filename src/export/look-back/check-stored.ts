/** `ents check`: what cannot be right in stored outputs, without a request. */
import type { Surroundings } from "../../base/report.ts";
import { EntsError } from "../../base/errors.ts";
import { formatCount } from "../../base/phrases.ts";
import { type CheckedSeries, type Finding, joinPieces, makeFindings, readSeries } from "../../checks/check.ts";
import { RULES } from "../../checks/rules.ts";
import { readCodesWithoutRequest } from "../../facility-list/open-codes.ts";
import type { OutputValues } from "../../format/output-options.ts";
import { LosslessNumber } from "../../base/json.ts";
import { isAddress } from "../../options/address.ts";
import { nameLabelColumns } from "../../series/layout/columns.ts";
import type { Column } from "../../series/layout/layout.ts";
import { orderLabelNames } from "../../series/order.ts";
import type { TimeSeries } from "../../series/time-series.ts";
import { loadSettings } from "../../settings/settings.ts";
import { formatTimestamp, MINUTE } from "../../time/local-time.ts";
import type { Destination } from "../destination/interface.ts";
import { openList } from "../open-list.ts";
import type { StoredRun } from "./open-stored.ts";
import { type Shown, showStored } from "./show-stored.ts";

type ListValues = Pick<OutputValues, "format" | "output" | "header" | "limit">;

const textColumn = (name: string): Column => ({ name, kind: "text" });

/** Lists the checks. @throws {EntsError} usage, output. */
export async function listChecks(options: ListValues, surroundings: Surroundings): Promise<void> {
  const { writeTable } = await openList({ ...options, isShort: true }, surroundings);
  await writeTable({
    columns: [textColumn("check"), textColumn("what_must_hold"), textColumn("source")],
    rows: RULES.map(({ name, says, source }) => [name, says, source]),
  });
}

/** @throws {EntsError} incomplete: something was found; usage, output. */
export async function checkStored(
  outputs: readonly { readonly past: StoredRun; readonly shown: Omit<Shown, "rerunCommand"> }[],
  options: ListValues,
  surroundings: Surroundings,
): Promise<void> {
  const { writeTable } = await openList(options, surroundings);
  const series: CheckedSeries[] = [];
  for (const { past, shown } of outputs) {
    const isFiltered = shown.query.parameters.some(({ name }) => name.startsWith("fueltech"));
    const facts = { interval: shown.query.interval, now: past.run.at, isFiltered, covers: new Map() };
    const parts: CheckedSeries[] = [];
    await streamStored({ past, shown: { ...shown, rerunCommand: "" } }, surroundings, (timeSeries) =>
      parts.push(...readSeries(past.name, timeSeries, facts)),
    );
    series.push(...joinPieces(parts));
  }
  const facilities = await findStoredLists(
    outputs.map(({ past }) => past),
    surroundings,
  );
  const joined = joinPieces(series);
  const found = RULES.map((rule) => ({ rule, readings: rule.find({ series: joined, facilities }) }));
  const findings = found.flatMap(({ rule, readings = [] }) => makeFindings(rule, readings));
  await writeTable(tabulate(findings));
  const skipped = found.flatMap(({ rule: { name, needs }, readings }) => (readings ? [] : [`${name}: ${needs}`]));
  const names = found.flatMap(({ rule, readings }) => (readings ? [rule.name] : []));
  const list = names.length === 0 ? "" : ` (${names.join(", ")})`;
  const made = `${formatCount(names.length, "check")} made${list}${findings.length === 0 ? ", nothing found" : ""}`;
  surroundings.report.note(
    skipped.length === 0 ? made : `${made}; the others need what the outputs do not have:`,
    ...skipped,
  );
  if (findings.length === 0) return;
  const outputNames = new Set(findings.map(({ output }) => output));
  throw new EntsError("incomplete", `${formatCount(findings.length, "finding")} in ${[...outputNames].join(", ")}`, {
    hint: "'ents check --list' says what each check is of",
  });
}

/** Reads all series of an output, in parts, in order of time: what came, not what is computed of it. */
async function streamStored(
  { past, shown }: { readonly past: StoredRun; readonly shown: Shown },
  surroundings: Surroundings,
  read: (timeSeries: readonly TimeSeries[]) => void,
): Promise<void> {
  const destination: Destination = {
    put: async (chunks) => {
      for await (const { timeSeries } of chunks) read(timeSeries);
    },
  };
  const report = { ...surroundings.report, note: () => {}, warn: () => {}, detail: () => {} };
  const sent = { ...shown, query: { ...shown.query, computation: undefined } };
  await showStored(past, sent, { ...surroundings, report, destination });
}

/** The stored lists of the services that the outputs are from. */
async function findStoredLists(outputs: readonly StoredRun[], { context }: Surroundings) {
  const settings = await loadSettings(context);
  const services = new Set(outputs.map(({ run }) => run.query["service"] as string));
  const lists = await Promise.all(
    Array.from(services, (service) => {
      const fetch = isAddress(service) ? { baseUrl: new URL(service), sandbox: false } : { sandbox: true };
      return readCodesWithoutRequest({ fetch, settings }, context);
    }),
  );
  const known = lists.filter((list) => list !== undefined);
  return known.length > 0 ? known.flatMap((list) => list.facilities) : undefined;
}

function tabulate(findings: readonly Finding[]) {
  const names = orderLabelNames(findings.map(({ series }) => Object.keys(series.labels)));
  const value = (name: string): Column => ({ name, kind: "value" });
  const columns = [
    ...["output", "check", "metric"].map(textColumn),
    ...["timestamp", "until"].map((name): Column => ({ ...textColumn(name), isTimestamp: true })),
    ...nameLabelColumns(names, ["output", "check", "until", "found", "expected"]).map(textColumn),
    value("found"),
    value("expected"),
  ];
  const rows = findings.map(({ series, output, rule, instant, until, found, expected }) => {
    const stamp = (at: number) => formatTimestamp(at + series.offset * MINUTE, series.offset);
    const print = (number: number) => new LosslessNumber(String(Number(number.toPrecision(12))));
    const labels = names.map((name) => (Object.hasOwn(series.labels, name) ? (series.labels[name] ?? null) : null));
    return [output, rule, series.metric, stamp(instant), stamp(until), ...labels, print(found), print(expected)];
  });
  return { columns, rows };
}
