import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, parseJson, toJsonText } from "../../src/base/json.ts";
import { decodeFully } from "../../src/decode/decode.ts";
import { encodeJson, json } from "../../src/format/json.ts";
import { type DecodedResponse, headOf, isKnown } from "../../src/series/decoded-response.ts";
import { orderTimeSeries } from "../../src/series/order.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createZonedPrinter, type TimestampPrinter } from "../../src/time/timestamp-printer.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { answers, askedMetrics, toBody } from "./generators.ts";
import { eachPart, OPTIONS } from "./encode.ts";

const network = createZonedPrinter(createZone("network"));

/** The document of one response; TimeSeries of a known shape are given as they are. */
function encode(
  answer: DecodedResponse,
  timeSeries: readonly TimeSeries[],
  printTimestamp: TimestampPrinter = network,
): string {
  const encoder = json.open({ columns: [], printTimestamp, zone: createZone("network") }, OPTIONS);
  const chunk = { heads: [headOf(answer)], timeSeries, ...(isKnown(answer) ? {} : { unknown: answer }) };
  return [...eachPart(encoder.write({ rows: () => [], chunk })), ...eachPart(encoder.end())].join("");
}

const readAnswer = (text: string) => {
  const answer = decodeFully(Buffer.from(text));
  if (!isKnown(answer)) throw answer.problem;
  return { answer, envelope: answer.envelope, timeSeries: answer.timeSeries };
};

/** The result of making rows. */
const essence = (timeSeries: readonly TimeSeries[]) =>
  timeSeries.map(({ network: code, metric, unit, series }) => ({
    code,
    metric,
    unit,
    series: series.map(({ labels, points }) => ({ labels, points })),
  }));

describe("a response", () => {
  test("reads back as its TimeSeries, series and points, digit for digit", () => {
    fc.assert(
      fc.property(answers, askedMetrics, (items, metrics) => {
        const { answer, timeSeries } = readAnswer(toBody(items));
        const ordered = orderTimeSeries(timeSeries, metrics);
        const again = readAnswer(encode(answer, ordered));
        expect(essence(again.timeSeries)).toEqual(essence(ordered));
        expect(Object.keys(again.envelope)).toEqual([
          "version",
          "created_at",
          "success",
          "error",
          "data",
          "total_records",
        ]);
      }),
    );
  });

  test("written again is the same text", () => {
    fc.assert(
      fc.property(answers, askedMetrics, (items, metrics) => {
        const { answer, timeSeries } = readAnswer(toBody(items));
        const once = encode(answer, orderTimeSeries(timeSeries, metrics));
        const again = readAnswer(once);
        expect(encode(again.answer, orderTimeSeries(again.timeSeries, metrics))).toBe(once);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
        expect(once).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
      }),
    );
  });

  test("in another zone has the same instants and values", () => {
    fc.assert(
      fc.property(answers, fc.constantFrom("utc", "Asia/Kathmandu"), (items, zone) => {
        const { answer, timeSeries } = readAnswer(toBody(items));
        const again = readAnswer(encode(answer, timeSeries, createZonedPrinter(createZone(zone))));
        const bare = (all: readonly TimeSeries[]) =>
          all.map(({ series }) => series.map(({ points: { instants, values } }) => ({ instants, values })));
        expect(bare(again.timeSeries)).toEqual(bare(timeSeries));
      }),
    );
  });
});

const TEXT = `{"version":"4.5.0","created_at":"2025-02-01T00:00:00Z","success":true,"error":null,"took":1.50,"total_records":1,"data":[
  {"network_code":"NEM","metric":"power","unit":"MW","date_start":"2025-01-31T14:00:00+10:00","groupings":[],"quality":{"rating":1.0},"network_timezone_offset":"+10:00",
   "results":[{"name":"power_total","columns":{"region":"SA1"},"date_end":"2025-01-31T14:05:00+10:00","remark":"x","data":[["2025-01-31T14:00:00+10:00",40.00],["2025-01-31T14:05:00+10:00",null]]}]}]}`;

describe("every field that the service sent", () => {
  test("is present, even unknown ones", () => {
    const { answer, timeSeries } = readAnswer(TEXT);
    const text = encode(answer, timeSeries);
    expect(JSON.parse(text)).toEqual(JSON.parse(TEXT));
    expect(text).toContain('"took": 1.50');
    expect(text).toContain('"rating":1.0');
  });

  test("each point has its own line", () => {
    const { answer, timeSeries } = readAnswer(TEXT);
    expect(
      encode(answer, timeSeries)
        .split("\n")
        .map((line) => line.trim()),
    ).toEqual(expect.arrayContaining(['["2025-01-31T14:00:00+10:00", 40.00],', '["2025-01-31T14:05:00+10:00", null]']));
  });

  test("and the window's ends are in the zone of the points", () => {
    const { answer, timeSeries } = readAnswer(TEXT);
    expect(JSON.parse(encode(answer, timeSeries, createZonedPrinter(createZone("utc"))))).toMatchObject({
      created_at: "2025-02-01T00:00:00Z",
      data: [
        {
          date_start: "2025-01-31T04:00:00Z",
          results: [
            {
              date_end: "2025-01-31T04:05:00Z",
              data: [
                ["2025-01-31T04:00:00Z", 40],
                ["2025-01-31T04:05:00Z", null],
              ],
            },
          ],
        },
      ],
    });
  });
});

test("a response with unknown TimeSeries is written as it came", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (data) => {
      const body = JSON.stringify({ version: "9", data });
      const text = encode(decodeFully(Buffer.from(body)), []);
      expect((JSON.parse(text) as { data: unknown }).data).toEqual((JSON.parse(body) as { data: unknown }).data);
    }),
  );
});

test("any other value reads back as itself", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: Json = parseJson(text);
      const written = encodeJson(value);
      expect(written.endsWith("\n")).toBe(true);
      expect(toJsonText(parseJson(written))).toBe(toJsonText(value));
    }),
  );
});
