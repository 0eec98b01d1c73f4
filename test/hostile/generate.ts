/** A hostile answer for each seed: a valid body of v4, damaged in some places. */
import fc from "fast-check";
import { envelope, HOUR } from "../e2e/envelopes.ts";
import { bodies } from "../fast/bodies.ts";
import { createChance, type Chance } from "../support/chance.ts";
import { answers, distinctAnswers, toBody } from "../unit/generators.ts";
import { MUTATE_BYTES, MUTATE_TEXT, MUTATE_WIRE, type Packed } from "./mutate.ts";
import { OTHERS } from "./texts.ts";

export interface HostileAnswer extends Packed {
  readonly status: number;
  /** Without a content-length. */
  readonly chunked: boolean;
  /** The changes that were made. */
  readonly made: readonly string[];
}

export function generateAnswer(seed: number): HostileAnswer {
  const chance = createChance(seed);
  const made: string[] = [];
  const apply = <F>(table: Readonly<Record<string, F>>): F => {
    const name = chance.pick(Object.keys(table));
    made.push(name);
    return table[name] as F;
  };
  const status = chooseStatus(chance);
  let text = chance.oneIn(status === 200 ? 25 : 2) ? chance.pick(OTHERS) : makeBody(chance);
  for (let left = chance.pick([0, 0, 1, 1, 1, 2, 3]); left > 0; left--) text = apply(MUTATE_TEXT)(text, chance);
  let bytes = Buffer.from(text);
  if (chance.oneIn(4)) bytes = Buffer.from(apply(MUTATE_BYTES)(bytes, chance));
  const packed = chance.oneIn(5) ? apply(MUTATE_WIRE)(bytes, chance) : { headers: {}, bytes };
  const headers = { "content-type": chance.pick(CONTENT_TYPES), ...chooseHeaders(status, chance), ...packed.headers };
  return { ...packed, status, headers, chunked: chance.oneIn(3), made: [`HTTP ${status}`, ...made] };
}

const CONTENT_TYPES = [
  "application/json",
  "application/json",
  "text/html",
  "application/json; charset=latin1",
  "image/png",
  "x",
];
const RETRY_AFTER = [
  "0",
  "1",
  "100000",
  "-5",
  "1e9",
  "soon",
  "Wed, 21 Oct 2099 07:28:00 GMT",
  "Sun Nov  6 08:49:37 1994",
  "\u00e9",
];
const LOCATIONS = [
  "",
  "?",
  "http://localhost:1/",
  "https://example.org/",
  "javascript:alert(1)",
  "//",
  "http://[",
  "\u00ff",
];

/** A normal body: small, with few or many series and labels of any kind. */
function makeBody(chance: Chance): string {
  const sample = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.sample(arbitrary, { seed: chance.below(2 ** 31), numRuns: 1 })[0] as T;
  const kind = chance.below(10);
  if (kind < 2) return sample(bodies).toString("utf8");
  if (kind < 4) return toBody(sample(answers));
  if (kind < 5) return toBody(sample(distinctAnswers));
  return JSON.stringify(makeEnvelope(chance));
}

function makeEnvelope(chance: Chance): Record<string, unknown> {
  const points = () => HOUR.slice(0, chance.pick([0, 1, 2, 2, 2]));
  const series = (region: string) => ({ labels: { region, renewable: chance.oneIn(2) }, points: points() });
  const items = ["power", "price", "energy"].slice(0, 1 + chance.below(3)).map((metric) => ({
    metric,
    series: ["NSW1", "VIC1", "SA1"].slice(0, chance.below(4)).map(series),
  }));
  return envelope(items);
}

function chooseStatus(chance: Chance): number {
  if (!chance.oneIn(6)) return 200;
  if (chance.oneIn(2)) return 200 + chance.below(400);
  return chance.pick([
    201, 206, 301, 302, 304, 307, 308, 400, 401, 403, 404, 408, 416, 422, 429, 500, 502, 503, 504, 520,
  ]);
}

function chooseHeaders(status: number, chance: Chance): Record<string, string> {
  if (status >= 300 && status < 400) return { location: chance.pick(LOCATIONS) };
  return status === 429 || status >= 500 ? { "retry-after": chance.pick(RETRY_AFTER) } : {};
}
