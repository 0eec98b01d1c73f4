/** Tables of random series on terminals of random size. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FUEL_ORDER } from "../../src/base/fueltechs.ts";
import { printSeries } from "../../src/format/print.ts";
import { measureCells } from "../../src/format/text-width.ts";
import { draws } from "../support/extent.ts";
import { TERMINAL } from "../unit/encode.ts";
import { readBody } from "../unit/generators.ts";

interface Drawn {
  readonly label: "fueltech" | "region" | "unit_code";
  readonly unit: string;
  /** Of each series: a value for each hour. */
  readonly series: ReadonlyMap<string, readonly (number | null)[]>;
}

const NAMES = {
  fueltech: [...FUEL_ORDER],
  region: ["NSW1", "QLD1", "SA1", "TAS1", "VIC1", "WEM"],
  unit_code: Array.from({ length: 60 }, (_, index) => `UNIT${index}`),
};
const WIND_UNITS = new Map(NAMES.unit_code.map((code) => [code, { facility: code, fueltech: "wind" }]));
const START = Date.UTC(2026, 10, 20, 21);
const HOUR = 3_600_000;

/** With at most two decimals, so that sums are exact to what a table shows. */
const values = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: -50_000, max: 3_000_000 }).map((cents) => cents / 100) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const drawings = fc.constantFrom("fueltech" as const, "region" as const, "unit_code" as const).chain((label) =>
  fc
    .record({
      hours: fc.integer({ min: 1, max: 90 }),
      names: fc.subarray(NAMES[label], { minLength: 2 }),
      unit: fc.constantFrom("MW", "$/MWh"),
    })
    .chain(({ hours, names, unit }) =>
      fc
        .array(fc.array(values, { minLength: hours, maxLength: hours }), {
          minLength: names.length,
          maxLength: names.length,
        })
        .map((all): Drawn => ({ label, unit, series: new Map(names.map((name, index) => [name, all[index] ?? []])) })),
    ),
);
const screens = fc.record({ columns: fc.integer({ min: 50, max: 200 }), rows: fc.integer({ min: 12, max: 60 }) });

async function draw(
  { label, unit, series }: Drawn,
  size: { columns: number; rows: number },
  limit?: number,
): Promise<string[]> {
  const results = Array.from(series, ([name, points]) => ({
    name,
    columns: { [label]: name },
    data: points.map((value, hour) => [`${new Date(START + hour * HOUR).toISOString().slice(0, 19)}+10:00`, value]),
  }));
  const metric = unit === "MW" ? "power" : "price";
  const data = [{ network_code: "NEM", metric, unit, interval: "1h", results }];
  const timeSeries = readBody(
    JSON.stringify({ version: "4", created_at: "2026-11-25T00:00:00Z", success: true, data }),
  );
  async function* chunks() {
    yield { heads: [], timeSeries };
  }
  let text = "";
  const options = {
    format: "table" as const,
    metrics: [metric],
    limit,
    rawNames: true,
    screen: { ...TERMINAL, ...size },
    units: WIND_UNITS,
  };
  for await (const part of printSeries(chunks(), options)) text += Buffer.from(part).toString("utf8");
  return text.slice(0, -1).split("\n");
}

interface Parsed {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Cuts the lines at the columns of the rule. */
function parse(lines: readonly string[]): Parsed {
  const at = lines.findIndex((line) => /^-[- ]+$/.test(line));
  const columns = [...(lines[at] as string).matchAll(/-+/g)].map(
    ({ index, 0: dashes }) => [index, index + dashes.length] as const,
  );
  const cut = (line: string) => columns.map(([from, to]) => line.slice(from, to).trim());
  // A heading may take two lines, and have a title above it.
  const heads = lines.slice(0, at).filter((line) => !/^\S+ \(\S+\)$/.test(line));
  const cells = heads.map(cut);
  const headings = columns.map((_, column) => cells.flatMap((head) => head[column] || []).join(" "));
  const end = lines.indexOf("");
  return { headings, rows: lines.slice(at + 1, end).map(cut) };
}

/** The hour that each heading of a transposed table names: a day, if it changed, and a time. */
function readHours(headings: readonly string[]): number[] {
  let day = "";
  return headings.map((heading) => {
    const [, named = day, time = ""] = /^(?:(\d+ \w+) )?(\d\d:\d\d)$/.exec(heading) ?? [];
    day = named;
    return (Date.parse(`${day} 2026 ${time}Z`) - START) / HOUR;
  });
}

const isTransposed = ({ headings }: Parsed) => /\d\d:\d\d$/.test(headings[1] ?? "");
const toNumber = (text: string) => Number(text.replaceAll(",", ""));

/** A text that is shown, and what it should be: a number rounded to its decimals, a dash for null, or this text. */
type Shown = readonly [text: string, expected: number | string | null];

function isWrong([text, expected]: Shown): boolean {
  if (typeof expected !== "number") return text !== (expected ?? "–");
  const decimals = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
  return !(Math.abs(toNumber(text) - expected) <= 0.5 * 10 ** -decimals + 1e-9);
}

const sum = (all: readonly (number | null | undefined)[]) => {
  const numbers = all.filter((value) => typeof value === "number");
  return numbers.length === 0 ? null : numbers.reduce((total, value) => total + value, 0);
};

/** How much a series counts in the total, by what the field knows of fueltechs. */
function signOf(name: string, series: Drawn["series"]): number {
  const isDouble = (fuel: string) =>
    fuel === "battery" && series.has("battery_charging") && series.has("battery_discharging");
  const isLoad = (fuel: string) =>
    ["battery_charging", "pumps", "exports"].includes(fuel) && (sum(series.get(fuel) ?? []) ?? 0) > 0;
  if (isDouble(name)) return 0;
  // Of loads alone, the total is theirs.
  return isLoad(name) && [...series.keys()].some((fuel) => !isDouble(fuel) && !isLoad(fuel)) ? -1 : 1;
}

function listPivoted({ headings, rows }: Parsed, { series }: Drawn): Shown[] {
  return rows
    .filter(([first]) => first !== "...")
    .flatMap(([timestamp = "", ...cells]) => {
      const hour = (Date.parse(`${timestamp.replace(" ", "T")}Z`) - START) / HOUR;
      return cells.map((cell, at): Shown => [cell, series.get(headings[at + 1] as string)?.[hour] ?? null]);
    });
}

function listTransposed({ headings, rows }: Parsed, { series, unit }: Drawn): Shown[] {
  const named = new Set(rows.map(([name]) => name));
  const hidden = [...series.keys()].filter((name) => !named.has(name));
  const hours = readHours(headings.slice(1));
  const rooftop = series.get("solar_rooftop") ?? [];
  /** True if rooftop solar has no value in an hour, but one within two. */
  const isLate = (hour: number) =>
    rooftop.length > 0 &&
    rooftop[hour] === null &&
    [-2, -1, 1, 2].some((step) => typeof rooftop[hour + step] === "number");
  const addUp = (names: Iterable<string>, hour: number) => {
    const own = [...names];
    if (own.includes("solar_rooftop") && isLate(hour)) return null;
    return sum(
      own.map((name) => {
        const value = series.get(name)?.[hour] ?? null;
        return value === null ? null : signOf(name, series) * value;
      }),
    );
  };
  const expectedOf = (name: string, hour: number) => {
    if (series.has(name)) return series.get(name)?.[hour] ?? null;
    if (name === "total") return addUp(series.keys(), hour);
    return unit === "MW" ? addUp(hidden, hour) : "...";
  };
  const count = [...series.values()][0]?.length ?? 0;
  return [
    [String(hours.at(-1)), count - 1],
    [rows.some(([name]) => name === "total") ? "total" : "", unit === "MW" ? "total" : ""],
    [rows.find(([name]) => name?.endsWith(" more"))?.[0] ?? "", hidden.length > 0 ? `${hidden.length} more` : ""],
    ...rows.flatMap(([name = "", ...cells]) =>
      cells.map((cell, at): Shown => [cell, expectedOf(name, hours[at] as number)]),
    ),
  ];
}

describe("of one metric with one label", () => {
  test("use all lines but one, and no line is wider than the terminal", async () => {
    await fc.assert(
      fc.asyncProperty(drawings, screens, async (drawn, size) => {
        const lines = await draw(drawn, size);
        expect(lines.filter((line) => measureCells(line) > size.columns)).toEqual([]);
        // With one row more, its number may have one digit more, and the footer one line more.
        const least =
          /^\d+ of [\d,]+ rows/m.test(lines.join("\n")) || /^\d+ more/m.test(lines.join("\n")) ? size.rows - 2 : 0;
        expect(lines.length).toBeGreaterThanOrEqual(least);
        expect(lines.length).toBeLessThan(size.rows);
      }),
      { numRuns: draws(40, 1000) },
    );
  });

  test("show the data, rounded, and all names; the total of a column is the sum of its data", async () => {
    await fc.assert(
      fc.asyncProperty(drawings, screens, async (drawn, size) => {
        const parsed = parse(await draw(drawn, size));
        const names = isTransposed(parsed) ? [] : parsed.headings.slice(1);
        expect(isTransposed(parsed) ? [] : [...drawn.series.keys()].toSorted()).toEqual(names.toSorted());
        const shown = (isTransposed(parsed) ? listTransposed : listPivoted)(parsed, drawn);
        expect(shown.filter(isWrong)).toEqual([]);
      }),
      { numRuns: draws(40, 1000) },
    );
  });

  test("have the same layout with any limit", async () => {
    await fc.assert(
      fc.asyncProperty(drawings, screens, fc.nat(40), async (drawn, size, limit) => {
        const [fitted, limited] = [parse(await draw(drawn, size)), parse(await draw(drawn, size, limit))];
        expect(limited.headings).toEqual(fitted.headings);
        const count = isTransposed(fitted) ? drawn.series.size : ([...drawn.series.values()][0]?.length ?? 0);
        const shown = limited.rows.filter(
          ([name = ""]) => name !== "total" && name !== "..." && !name.endsWith(" more"),
        );
        expect(shown).toHaveLength(limit === 0 ? count : Math.min(limit, count));
      }),
      { numRuns: draws(40, 500) },
    );
  });
});
