/** Codes that were asked for and that nothing came for, told at the end: a service leaves out what it does not know. */
import { formatList } from "../base/phrases.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { type Facility, listUnits } from "../codes/facility.ts";
import { type AskedCodes, explainCodes, isFileName, KINDS } from "../codes/unknown.ts";
import type { Report } from "../base/report.ts";
import type { Query } from "../query/query.ts";
import { findLabel } from "../series/time-series.ts";
import type { Chunk } from "../series/merge.ts";
import { CODE_FLAGS } from "./unknown-codes.ts";

/** As the flags name them. */
export interface NamedCodes {
  readonly facilityCode?: readonly string[] | undefined;
  readonly unitCode?: readonly string[] | undefined;
}

interface CodeSource {
  /** The list that is at hand, or that can be had. */
  readonly findFacilities: (mayAsk: boolean) => Promise<readonly Facility[] | undefined>;
  /** Whether codes that are not in it were told before the request. */
  readonly checksCodes: boolean;
  readonly report: Pick<Report, "warn">;
}

/** It observes an export. */
interface CodeWatch {
  readonly needsFrom: number;
  readonly start: () => void;
  readonly take: (chunk: Chunk) => void;
  readonly finish: () => Promise<void>;
}

export function createCodeWatch(query: Query, named: NamedCodes, { findFacilities, checksCodes, report }: CodeSource): CodeWatch {
  let units = new Set<string>();
  let isClear = true;
  return {
    needsFrom: Number.POSITIVE_INFINITY,
    start: () => {
      units = new Set();
      isClear = true;
    },
    take: ({ timeSeries, unknown, incomplete }) => {
      isClear &&= !unknown && !incomplete;
      for (const series of timeSeries.flatMap((item) => item.series)) {
        if (series.points.instants.length === 0) continue;
        const unit = findLabel(series, UNIT_LABEL);
        if (typeof unit === "string") units.add(unit);
        else isClear = false;
      }
    },
    finish: async () => {
      if (!isClear) return;
      const facility = keepSent(query, "facility_code", named.facilityCode);
      const unit = keepSent(query, "unit_code", named.unitCode).filter((code) => !units.has(code));
      if (units.size === 0) return explainNone({ network: query.network, facility, unit });
      // All that came is of a facility that is the only one.
      const list = await findFacilities(facility.length > 1);
      if (!list) return tell("unit code", unit);
      const missing = { facility: findMissing(facility, list, units), unit };
      const known = { facility: new Set(list.map(({ code }) => code)), unit: new Set(listUnits(list).map((placed) => placed.unit.code)) };
      tell(
        "facility code",
        missing.facility.filter((code) => known.facility.has(code)),
      );
      tell(
        "unit code",
        unit.filter((code) => known.unit.has(code)),
      );
      if (checksCodes) return;
      const lacking = (kind: "facility" | "unit") => missing[kind].filter((code) => !known[kind].has(code));
      const asked = { network: query.network, facility: lacking("facility"), unit: lacking("unit") };
      explain(list, asked);
    },
  };

  /** Nothing came at all, which is told already. */
  async function explainNone(asked: AskedCodes): Promise<void> {
    if (checksCodes) return;
    const list = await findFacilities(true);
    if (list) return explain(list, asked);
    const odd = KINDS.flatMap((kind) => asked[kind].flatMap((code) => describeOdd(kind, code) ?? []));
    for (const line of odd.slice(0, MAX_NAMED)) report.warn(line);
  }

  function explain(list: readonly Facility[], asked: AskedCodes): void {
    for (const line of explainCodes(list, asked, { flags: CODE_FLAGS, fate: "no data came" })) report.warn(line);
  }

  function tell(kind: string, codes: readonly string[]): void {
    if (codes.length > 0) report.warn(`no data came for ${kind}${codes.length > 1 ? "s" : ""} ${listSome(codes)}`);
  }
}

/** A file without its `@`, or a code in lower case. */
function describeOdd(kind: string, code: string): string | undefined {
  const meant = isFileName(code) ? `@${code}` : code.toUpperCase();
  return meant === code ? undefined : `${kind} code "${code}": did you mean ${meant}?`;
}

/** Other flags may have left out some. */
function keepSent({ parameters }: Query, parameter: string, codes: readonly string[] = []): string[] {
  const sent = new Set(parameters.find(({ name }) => name === parameter)?.values);
  return codes.filter((code) => sent.has(code));
}

/** Facilities none of whose units came; a unit that is not in the list may be of any of them. */
function findMissing(codes: readonly string[], facilities: readonly Facility[], units: ReadonlySet<string>): string[] {
  const came = listUnits(facilities).filter(({ unit }) => units.has(unit.code));
  const known = new Set(came.map(({ unit }) => unit.code));
  if (known.size < units.size) return [];
  const found = new Set(came.map(({ facility }) => facility.code));
  return codes.filter((code) => !found.has(code));
}

const MAX_NAMED = 10;

function listSome(codes: readonly string[]): string {
  const rest = codes.length - MAX_NAMED;
  return rest > 0 ? `${codes.slice(0, MAX_NAMED).join(", ")} and ${rest} more` : formatList(codes, "and");
}
