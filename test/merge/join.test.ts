/** The fields of a merged TimeSeries, except its points. */
import { expect, test } from "vitest";
import { joinTimeSeries } from "../../src/series/join.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";

const NONE = { timestamps: [], instants: [], values: [] };
const KNOWN: TimeSeries = {
  fields: {},
  network: "XX",
  metric: "power",
  unit: "MW",
  series: [{ fields: {}, labels: { region: "A" }, points: NONE }],
};
const ANSWER: TimeSeries = { ...KNOWN, fields: { metric: "power", network_timezone_offset: "+09:30" } };

test("series known from earlier runs take the fields of a response, with the offset of its rows", () => {
  expect(joinTimeSeries([[KNOWN], [ANSWER]])).toMatchObject([{ fields: ANSWER.fields }]);
});
