/** Builds request paths from the parameters of a batch of codes and a window. */
import { type CommandName, MAX_CODES } from "../base/vocabulary.ts";
import type { Parameter } from "../query/parameters.ts";
import type { Query, PickedUnit } from "../query/query.ts";
import type { Window } from "../query/window.ts";
import { formatLocalTime, type LocalTime } from "../time/local-time.ts";
import { usageError } from "../base/errors.ts";
import { formatNumber } from "../base/phrases.ts";

/** The three endpoints of v4. */
const PATHS = {
  network: "/v4/data/network/",
  facilities: "/v4/data/facilities/",
  market: "/v4/market/network/",
} as const satisfies Record<CommandName, string>;

/** Repeats a parameter with several values, except regions: the service takes one, and returns all if none is sent. */
export function formatPath({
  command,
  network,
  parameters,
}: Pick<Query, "command" | "network" | "parameters">): string {
  const search = new URLSearchParams();
  for (const { name, values } of parameters) {
    if (name !== REGION || values.length === 1) for (const value of values) search.append(name, value);
  }
  return `${PATHS[command]}${encodeURIComponent(network)}?${search}`;
}

const REGION = "network_region";
const START = "date_start";
const END = "date_end";

export function readWindow(path: string): Window {
  const search = searchOf(path);
  const read = (name: string) => (search.has(name) ? Date.parse(`${search.get(name)}Z`) : undefined);
  return { start: read(START), end: read(END) };
}

/** Removes the window from a path; endpoint, codes and other parameters stay. */
export function removeWindow(path: string): string {
  return path.replace(WINDOW, "").replace(/[?&]$/, "");
}

const WINDOW = new RegExp(`(?<=[?&])(?:${START}|${END})=[^&]*(?:&|$)`, "g");

export function replaceWindow(
  path: string,
  { start, end }: { readonly start: LocalTime; readonly end: LocalTime },
): string {
  const search = searchOf(path);
  search.set(START, formatLocalTime(start));
  search.set(END, formatLocalTime(end));
  return `${path.slice(0, path.indexOf("?"))}?${search}`;
}

export function searchOf(path: string): URLSearchParams {
  return new URLSearchParams(path.slice(path.indexOf("?")));
}

export function resolveUrl(baseUrl: URL, path: string): URL {
  return new URL(baseUrl.href.replace(/\/$/, "") + path);
}

/** Parameters with at most 30 values in one request. */
export const LIMITED: ReadonlySet<string> = new Set(["facility_code", "unit_code"]);

/** Far more requests than a key can make in its lifetime; stops two mistaken lists of codes from filling the memory. */
const MAX_BATCHES = 1_000_000;

/**
 * Returns the parameters of each request: every combination of at most 30 facility codes and at most 30 unit codes.
 * With `units`, each request has at most 30 of these, with their own facilities only.
 * @throws {EntsError} usage: too many combinations.
 */
export function batchParameters(
  parameters: readonly Parameter[],
  units?: readonly PickedUnit[],
): (readonly Parameter[])[] {
  if (units) return splitCodes(units).map((batch) => setCodes(parameters, batch));
  let batches: (readonly Parameter[])[] = [[]];
  for (const parameter of parameters) {
    const shares = LIMITED.has(parameter.name) ? splitCodes(parameter.values) : [parameter.values];
    const requests = batches.length * shares.length;
    if (requests > MAX_BATCHES)
      throw usageError(
        `these codes take ${formatNumber(requests)} requests; the maximum is ${formatNumber(MAX_BATCHES)}`,
        "use facility codes or unit codes alone",
      );
    batches = batches.flatMap((batch) => shares.map((values) => [...batch, { name: parameter.name, values }]));
  }
  return batches;
}

/** Replaces all codes in the parameters by those of `units`, placed last. */
export function setCodes(parameters: readonly Parameter[], units: readonly PickedUnit[]): Parameter[] {
  const others = parameters.filter(({ name }) => !LIMITED.has(name));
  if (units.length === 0) return others;
  const codes = { facility_code: units.map(({ facility }) => facility), unit_code: units.map(({ unit }) => unit) };
  return [...others, ...Object.entries(codes).map(([name, values]) => ({ name, values: [...new Set(values)] }))];
}

function splitCodes<T>(codes: readonly T[]): T[][] {
  const shares: T[][] = [];
  for (let from = 0; from < codes.length; from += MAX_CODES) shares.push(codes.slice(from, from + MAX_CODES));
  return shares;
}
