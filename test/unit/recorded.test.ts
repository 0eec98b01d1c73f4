/** Recorded responses of a real v4 service, which are not part of this project; skipped if they are not available. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { json } from "../../src/format/json.ts";
import { toTable } from "../../src/series/layout/create-layout.ts";
import { openEnvelope } from "../../src/decode/envelope.ts";
import { parseJson, toJsonText } from "../../src/base/json.ts";
import { decodeFully } from "../../src/decode/decode.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { headOf, isKnown } from "../../src/series/decoded-response.ts";
import { eachPart, OPTIONS } from "./encode.ts";
import { listRows, readBody } from "./generators.ts";

const FOLDER = new URL("../../../shared/service/recorded/", import.meta.url);
const POWER = fileURLToPath(new URL("data-network-WEM-power-5m-region-fueltech.json", FOLDER));
const PRICE = fileURLToPath(new URL("market-network-NEM-price-5m-SA1.json", FOLDER));

const printTimestamp = (timestamp: string) => timestamp;

interface Recorded {
  readonly data: readonly {
    readonly results: readonly {
      readonly columns: Record<string, string>;
      readonly data: readonly [string, number | null][];
    }[];
  }[];
}

/** What any JSON reader finds in the file. */
const readPlain = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Recorded;
const read = (path: string) => readBody(readFileSync(path, "utf8"));

describe.skipIf(!existsSync(POWER))("recorded power of WEM (skipped without ../shared/service/recorded)", () => {
  test("13 series of 859 to 1,152 points, 108 nulls, one that begins later", () => {
    const [item, ...others] = read(POWER);
    const series = item?.series ?? [];
    const lengths = series.map(({ points }) => points.timestamps.length);
    const starts = series.map(({ points }) => points.instants[0] ?? 0);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ network: "WEM", metric: "power" });
    expect([series.length, Math.min(...lengths), Math.max(...lengths)]).toEqual([13, 859, 1152]);
    expect(series.flatMap(({ points }) => points.values.filter((value) => value === null))).toHaveLength(108);
    expect(starts.filter((start) => start > Math.min(...starts))).toHaveLength(1);
  });

  test("long: every point once, at its label and value", () => {
    const rows = listRows(toTable(read(POWER), { shape: "long", metrics: ["power"], printTimestamp }));
    const sent = readPlain(POWER).data.flatMap(({ results }) =>
      results.flatMap(({ columns, data }) =>
        data.map(([timestamp, value]) =>
          [timestamp, ...Object.values(columns), value === null ? null : Number(value)].join(" "),
        ),
      ),
    );
    const came = rows.map(([timestamp, , , , ...rest]) =>
      [timestamp, ...rest.slice(0, -1), rest.at(-1) === null ? null : Number(rest.at(-1))].join(" "),
    );
    expect(came.toSorted()).toEqual(sent.toSorted());
  });

  test("wide: as many rows, and as many values", () => {
    const [long, wide] = (["long", "wide"] as const).map((shape) =>
      listRows(toTable(read(POWER), { shape, metrics: ["power"], printTimestamp })),
    );
    expect(wide?.map((row) => row.at(-1))).toEqual(long?.map((row) => row.at(-1)));
  });
});

describe.skipIf(!existsSync(PRICE))("recorded price of SA1 (skipped without ../shared/service/recorded)", () => {
  test("one series of 2,016 points, labelled though groupings are empty", () => {
    const [item] = read(PRICE);
    expect(item).toMatchObject({ network: "NEM", metric: "price", fields: { groupings: [] } });
    expect(item?.series.map(({ labels, points }) => [labels, points.timestamps.length])).toEqual([
      [{ region: "SA1" }, 2016],
    ]);
    const { columns } = toTable(read(PRICE), { shape: "long", metrics: ["price"], printTimestamp });
    expect(columns.map(({ name }) => name)).toEqual(["timestamp", "network", "metric", "unit", "region", "value"]);
  });
});

describe.each([POWER, PRICE])("%#: a recorded file", (path) => {
  test.skipIf(!existsSync(path))(
    "in json is what came, digit for digit (skipped without ../shared/service/recorded)",
    () => {
      const bytes = readFileSync(path);
      const answer = decodeFully(bytes);
      const timeSeries = isKnown(answer) ? answer.timeSeries : [];
      const encoder = json.open({ columns: [], printTimestamp, zone: createZone("network") }, OPTIONS);
      const text = [
        ...eachPart(encoder.write({ rows: () => [], chunk: { heads: [headOf(answer)], timeSeries } })),
      ].join("");
      const open = (body: string) => openEnvelope(parseJson(body));
      const [came, sent] = [open(text), open(bytes.toString("utf8"))];
      expect(toJsonText({ ...came.envelope, data: came.data })).toBe(toJsonText({ ...sent.envelope, data: sent.data }));
    },
  );
});
