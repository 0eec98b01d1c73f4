/** Recorded answers of a real service come through every format with every point intact. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse as parseCsv } from "csv-parse/sync";
import { type LosslessNumber, parse as parseJson } from "lossless-json";
import { describe, expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { TOKEN } from "./envelopes.ts";

const FOLDER = fileURLToPath(new URL("../../../shared/service/recorded", import.meta.url));
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => /^(data|market)-.*\.json$/.test(name)) : [];

test.skipIf(files.length === 0)(
  "the recorded responses are at ../shared/service/recorded, beside the project (else skipped)",
  () => {
    expect(files).not.toEqual([]);
  },
);

interface Recorded {
  readonly data: readonly {
    readonly network_code: string;
    readonly metric: string;
    readonly unit: string;
    readonly results: readonly {
      readonly columns: Readonly<Record<string, string>>;
      readonly data: readonly [string, LosslessNumber | null][];
    }[];
  }[];
}

/** A point as in long rows: cells as text, the value digit for digit, null as "". */
type Point = readonly string[];

/** Reads the points from the file without the code under test, sorted as text. */
function listPoints(body: string): Point[] {
  const { data } = parseJson(body) as Recorded;
  return data.flatMap(({ network_code, metric, unit, results }) =>
    results.flatMap(({ columns, data: points }) =>
      points.map(([timestamp, value]) => [
        timestamp,
        network_code,
        metric,
        unit,
        ...Object.values(columns),
        value === null ? "" : value.toString(),
      ]),
    ),
  );
}

const sortPoints = (points: readonly Point[]) => points.map((point) => point.join("|")).sort();

describe.each(files)("%s", (name) => {
  const body = readFileSync(join(FOLDER, name), "utf8");
  const points = listPoints(body);
  // data-network-WEM-power-…, market-network-NEM-price-…
  const [kind, endpoint, network, metric] = name.split("-") as [string, string, string, string];
  const asked = [kind === "market" ? kind : endpoint, network, "-m", metric];

  async function fetch(...flags: readonly string[]): Promise<string> {
    const service = await startService(() => ({ body, headers: { "content-type": "application/json" }, gzip: true }));
    const run = await createHome().run([...asked, ...flags, "-q"], {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    return run.stdout;
  }

  test("the file has points that could be lost", () => {
    expect(points.length).toBeGreaterThan(2000);
    expect(points.some((point) => point.at(-1)?.endsWith(".0"))).toBe(true);
  });

  test.concurrent.for([
    ["csv", ","],
    ["tsv", "\t"],
  ] as const)("%s, long", async ([format, delimiter]) => {
    const [header = [], ...rows] = parseCsv(await fetch("-f", format), { delimiter });
    expect(header.slice(0, 4)).toEqual(["timestamp", "network", "metric", "unit"]);
    expect(header.at(-1)).toBe("value");
    expect(sortPoints(rows)).toEqual(sortPoints(points));
  });

  test.concurrent("csv is in canonical order", async () => {
    const rows = parseCsv(await fetch("-f", "csv"))
      .slice(1)
      .map((row) => row.slice(0, -1));
    const keys = rows.map(([timestamp = "", ...labels]) =>
      [String(Date.parse(timestamp)).padStart(15, "0"), ...labels].join("\u0000"),
    );
    expect(keys).toEqual([...keys].sort());
  });

  test.concurrent("csv, wide, in UTC: the same values at the same instants", async () => {
    const rows = parseCsv(await fetch("-f", "csv", "--shape", "wide", "--time-zone", "utc")).slice(1);
    const short = ([timestamp = "", code = "", , , ...rest]: Point) => [String(Date.parse(timestamp)), code, ...rest];
    expect(sortPoints(rows.map(([timestamp = "", ...rest]) => [String(Date.parse(timestamp)), ...rest]))).toEqual(
      sortPoints(points.map(short)),
    );
    expect(rows.every(([timestamp]) => timestamp?.endsWith("Z"))).toBe(true);
  });

  test.concurrent("ndjson", async () => {
    const rows = (await fetch("-f", "ndjson"))
      .trimEnd()
      .split("\n")
      .map((line) => Object.values(parseJson(line) as Record<string, string | LosslessNumber | null>));
    expect(sortPoints(rows.map((row) => row.map((cell) => (cell === null ? "" : String(cell)))))).toEqual(
      sortPoints(points),
    );
  });

  test.concurrent("json: every field and point, digit for digit", async () => {
    const text = await fetch("-f", "json");
    expect(sortPoints(listPoints(text))).toEqual(sortPoints(points));
    const before = JSON.parse(body) as Record<string, unknown>;
    const after = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(after).slice(0, 6)).toEqual([
      "version",
      "created_at",
      "success",
      "error",
      "data",
      "total_records",
    ]);
    expect(sortResults(after)).toEqual({ total_records: null, error: null, ...sortResults(before) });
  });

  test.concurrent("a table counts and shows them all", async () => {
    const lines = (await fetch("-f", "table", "--shape", "long")).trimEnd().split("\n");
    const rows = lines.slice(2, lines.indexOf(""));
    expect(lines[rows.length + 3]).toMatch(new RegExp(`^${points.length.toLocaleString("en-US")} rows, `));
    expect(rows).toHaveLength(points.length);
    const sum = (texts: readonly (string | undefined)[]) => texts.reduce((total, text) => total + Number(text), 0);
    const shown = rows.map((line) =>
      line.endsWith(" ") ? "" : (/ {2}(-?[\d,.]+)$/.exec(line)?.[1] ?? "0").replaceAll(",", ""),
    );
    // Each value is off by at most half a hundredth.
    expect(Math.abs(sum(shown) - sum(points.map((point) => point.at(-1))))).toBeLessThan(points.length * 0.005);
  });
});

function sortResults(envelope: Record<string, unknown>): Record<string, unknown> {
  const data = envelope["data"] as { results: { name: string }[] }[];
  return {
    ...envelope,
    data: data.map((item) => ({ ...item, results: item.results.toSorted((a, b) => (a.name < b.name ? -1 : 1)) })),
  };
}
