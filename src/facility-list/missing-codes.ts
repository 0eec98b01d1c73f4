/** Reports, at the end, requested codes without data: a service silently omits codes that it does not know. */
import { formatList } from "../base/phrases.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { type Facility, listUnits } from "../facilities/facility.ts";
import { type RequestedCodes, explainCodes, isFileName, KINDS } from "../facilities/unknown.ts";
import type { Report } from "../base/report.ts";
import type { QueryValues } from "../options/query-options.ts";
import { findValues } from "../query/parameters.ts";
import type { Query } from "../query/query.ts";
import { findLabel, type TimeSeries } from "../series/time-series.ts";
import type { Chunk } from "../series/merge.ts";
import { CODE_FLAGS } from "./open-codes.ts";

interface CodeSource {
  /** Returns the list available without a request; with `mayAsk`, fetches it if there is none. */
  readonly findFacilities: (mayAsk: boolean) => Promise<readonly Facility[] | undefined>;
  /** True if codes missing from the list were already reported before the request. */
  readonly checksCodes: boolean;
  readonly report: Pick<Report, "warn">;
}

type NamedCodes = Pick<QueryValues, "facilityCode" | "unitCode">;

export function createCodeWatch(query: Query, named: NamedCodes, { findFacilities, checksCodes, report }: CodeSource) {
  const units = new Set<string>();
  let isClear = true;
  const look = (timeSeries: readonly TimeSeries[]): void => {
    for (const series of timeSeries.flatMap((item) => item.series)) {
      if (series.points.instants.length === 0) continue;
      const unit = findLabel(series, UNIT_LABEL);
      if (typeof unit === "string") units.add(unit);
      else isClear = false;
    }
  };
  return {
    onKept: look,
    onChunk: ({ timeSeries, parts = timeSeries, unknown, incomplete }: Chunk): void => {
      isClear &&= !unknown && !incomplete;
      look(parts);
    },
    finish: async (): Promise<void> => {
      if (!isClear) return;
      const { network } = query;
      const facility = keepSent(query, "facility_code", named.facilityCode);
      const unit = keepSent(query, "unit_code", named.unitCode).filter((code) => !units.has(code));
      if (units.size === 0) return explainEmptyResult({ network, facility, unit });
      // With a single facility, all data is from it, so the list need not be fetched.
      const list = await findFacilities(facility.length > 1);
      if (!list) return warnMissing("unit", unit);
      const missing = { facility: findMissingFacilities(facility, list, units), unit };
      const known = {
        facility: new Set(list.map(({ code }) => code)),
        unit: new Set(listUnits(list).map((placed) => placed.unit.code)),
      };
      for (const kind of KINDS) {
        const listed = missing[kind].filter((code) => known[kind].has(code));
        warnMissing(kind, listed);
      }
      const listMissing = (kind: "facility" | "unit") => missing[kind].filter((code) => !known[kind].has(code));
      if (!checksCodes) explain(list, { network, facility: listMissing("facility"), unit: listMissing("unit") });
    },
  };

  /** For a result without any data, which was already reported. */
  async function explainEmptyResult(requested: RequestedCodes): Promise<void> {
    if (checksCodes) return;
    const list = await findFacilities(true);
    if (list) return explain(list, requested);
    const misspelt = KINDS.flatMap((kind) => requested[kind].flatMap((code) => suggestSpelling(kind, code) ?? []));
    for (const line of misspelt.slice(0, MAX_NAMED)) report.warn(line);
  }

  function explain(list: readonly Facility[], requested: RequestedCodes): void {
    for (const { text } of explainCodes(list, requested, { flags: CODE_FLAGS, fate: "no data came" }))
      report.warn(text);
  }

  function warnMissing(kind: string, codes: readonly string[]): void {
    if (codes.length > 0) report.warn(`no data came for ${kind} code${codes.length > 1 ? "s" : ""} ${listSome(codes)}`);
  }
}

/** Suggests `@` before a file name, or upper case for a code. */
function suggestSpelling(kind: string, code: string): string | undefined {
  const meant = isFileName(code) ? `@${code}` : code.toUpperCase();
  return meant === code ? undefined : `${kind} code "${code}": did you mean ${meant}?`;
}

/** The codes that were sent: other flags may have excluded some. */
function keepSent(query: Query, parameter: string, codes: readonly string[] = []): string[] {
  const sent = new Set(findValues(query, parameter));
  return codes.filter((code) => sent.has(code));
}

/**
 * Facilities without data for any unit. Empty if a received unit is not in the list, as it could belong to any of them.
 */
function findMissingFacilities(
  codes: readonly string[],
  facilities: readonly Facility[],
  units: ReadonlySet<string>,
): string[] {
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
