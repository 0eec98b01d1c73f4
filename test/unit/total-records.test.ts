/** `total_records`: a response that is one page of several is refused for rows, since some are missing. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { decodeBody, decodeFully } from "../../src/decode/decode.ts";
import type { KnownResponse } from "../../src/series/decoded-response.ts";

const RECORDED = fileURLToPath(new URL("../../../shared/service/recorded/", import.meta.url));

const timestampOf = (hour: number) => `2025-01-31T${String(hour).padStart(2, "0")}:00:00+10:00`;

/** Two TimeSeries of three series each, over four hours, two of which are null in all. */
function bodyOf(total: unknown): Buffer {
  const data = [0, 1, 2, 3].map((hour) => [timestampOf(hour), hour < 2 ? hour + 0.5 : null]);
  const results = ["A", "B", "C"].map((region) => ({ name: region, columns: { region }, data }));
  const items = ["power", "energy"].map((metric) => ({ network_code: "NEM", metric, unit: "MW", results }));
  return Buffer.from(
    JSON.stringify({
      version: "4",
      created_at: "2025-02-01T00:00:00Z",
      success: true,
      data: items,
      total_records: total,
    }),
  );
}

const incompleteOf = (total: unknown) =>
  [decodeBody, decodeFully].map((decode) => (decode(bodyOf(total)) as KnownResponse).incomplete?.message);

describe("total_records", () => {
  test.each([
    ["none", null],
    ["no number", "100"],
    ["nothing", 0],
    ["fewer TimeSeries than came", 1],
    ["TimeSeries", 2],
    ["series", 6],
    ["points", 24],
    ["points with a value", 12],
    ["timestamps", 4],
    ["rows of all metrics", 12],
  ])("that names %s is complete", (_, total) => {
    expect(incompleteOf(total)).toEqual([undefined, undefined]);
  });

  test.each([3, 7, 25, 1000, 1e21])("of %s is incomplete", (total) => {
    const message = `the response is incomplete: total_records is ${total}, but 2 TimeSeries with 6 series and 24 points`;
    expect(incompleteOf(total)).toEqual([message, message]);
  });

  test("that names the rows with a value is complete", () => {
    const data = [0, 1, 2].map((hour) => [timestampOf(hour), hour < 2 ? 1.5 : null]);
    const results = ["A", "B"].map((region) => ({ name: region, columns: { region }, data }));
    const items = ["power", "energy", "demand"].map((metric) => ({ network_code: "NEM", metric, unit: "MW", results }));
    const body = (total: number) => Buffer.from(JSON.stringify({ success: true, data: items, total_records: total }));
    // 3 TimeSeries, 6 series, 18 points, 12 of them with a value, 3 timestamps, 6 rows: 4 rows with a value.
    expect((decodeBody(body(4)) as KnownResponse).incomplete).toBeUndefined();
    expect((decodeBody(body(5)) as KnownResponse).incomplete).toBeDefined();
  });

  test("of a thousand digits and more is shown in part", () => {
    const bytes = Buffer.from(bodyOf("TOTAL").toString().replace('"TOTAL"', "9".repeat(100_000)));
    const { incomplete } = decodeBody(bytes) as KnownResponse;
    expect(incomplete?.message).toContain("99... (cut), but 2 TimeSeries");
    expect(incomplete?.message.length).toBeLessThan(2500);
  });

  test("that promises data when none came is incomplete", () => {
    const answer = decodeBody(
      Buffer.from('{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[],"total_records":2}'),
    );
    expect((answer as KnownResponse).incomplete).toMatchObject({ kind: "refused" });
  });
});

describe.skipIf(!existsSync(RECORDED))("recorded responses (../shared/service/recorded)", () => {
  const files = existsSync(RECORDED)
    ? readdirSync(RECORDED).filter((name) => /^(data|market)-.*\.json$/.test(name))
    : [];
  test.each(files)("%s is complete", (name) => {
    expect((decodeBody(readFileSync(RECORDED + name)) as KnownResponse).incomplete).toBeUndefined();
  });
});
