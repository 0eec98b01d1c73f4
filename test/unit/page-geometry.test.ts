/**
 * What the script of a page computes when series are switched (the rest of it: test/e2e/page.test.ts, in a browser).
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findNearestIndex, fitAxis, restack, scale } from "../../src/format/picture/page/browser/geometry.ts";
import type { PagePanel, PagePlot, PageStack } from "../../src/format/picture/page/page-data.ts";

const panelOf = (...series: (number | null)[][]): PagePanel => ({
  unit: "MW",
  digits: 0,
  isColumns: false,
  isLinear: true,
  addsUp: true,
  order: series.map((_, index) => index),
  series: series.map((values, index) => ({ name: `${index}`, times: 0, values })),
});

const plotOf = (stack?: PageStack): PagePlot => ({
  left: 0,
  width: 100,
  top: 0,
  height: 100,
  x: [0, 10, 0, 100],
  y: [0, 1000, 100, 0],
  ticks: 5,
  stack,
});

const stackOf = (ends: number[], ...values: (number | null)[][]): PageStack => ({ starts: [0, 10, 20], ends, values });

describe("the nearest time", () => {
  const sorted = fc
    .uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 1 })
    .map((times) => times.toSorted((a, b) => a - b));

  test("is not farther than any other", () => {
    fc.assert(
      fc.property(sorted, fc.integer({ min: -10, max: 1010 }), (times, instant) => {
        const found = times[findNearestIndex(times, instant, false)] as number;
        expect(Math.abs(found - instant)).toBe(Math.min(...times.map((time) => Math.abs(time - instant))));
      }),
    );
  });

  test("or the last that is not later, if there is one", () => {
    fc.assert(
      fc.property(sorted, fc.integer({ min: -10, max: 1010 }), (times, instant) => {
        expect(findNearestIndex(times, instant, true)).toBe(times.findLastIndex((time) => time <= instant));
      }),
    );
  });
});

describe("the axis", () => {
  test("stays as it was drawn with every series, and if it is not linear", () => {
    const panel = panelOf([1, 2, 3], [10, 20, 900]);
    expect(fitAxis(panel, plotOf(), () => true)).toEqual({ span: [0, 1000, 100, 0], ticks: undefined });
    expect(fitAxis({ ...panel, isLinear: false }, plotOf(), (index) => index === 0).ticks).toBeUndefined();
  });

  test("fits the lines that are left, from zero if that is near", () => {
    const panel = panelOf([1, null, 37], [900, 900, 900], [61, 64, 69]);
    expect(fitAxis(panel, plotOf(), (index) => index === 0)).toMatchObject({
      span: [0, 40, 100, 0],
      ticks: { values: [0, 10, 20, 30, 40] },
    });
    expect(fitAxis(panel, plotOf(), (index) => index === 2)).toMatchObject({
      span: [60, 70, 100, 0],
      ticks: { digits: 0 },
    });
  });

  test("fits the stack that is left, without a long empty part below zero", () => {
    const stack = stackOf([], [100, 200, 300], [-1, -2, -3], [50, 50, 90]);
    const panel = panelOf(...stack.values.map((values) => [...values]));
    expect(fitAxis(panel, plotOf(stack), (index) => index !== 2).span).toEqual([-3, 300, 100, 0]);
    expect(fitAxis(panel, plotOf(stack), () => false).ticks).toBeUndefined();
  });

  test("has decimals where its steps need them", () => {
    expect(fitAxis(panelOf([0.1, 0.9], [50, 60]), plotOf(), (index) => index === 0).ticks).toMatchObject({ digits: 1 });
  });
});

describe("a stack", () => {
  const span = [0, 100, 100, 0] as const;

  test("leaves out what is switched off", () => {
    const stack = stackOf([], [10, 10, 10], [20, 20, 20], [30, 30, 30]);
    expect(restack(stack, span, (index) => index !== 1)).toEqual([
      "M0,90L10,90L20,90L20,100L10,100L0,100Z",
      undefined,
      "M0,60L10,60L20,60L20,90L10,90L0,90Z",
    ]);
  });

  test("splits areas at gaps and where they change sides", () => {
    expect(restack(stackOf([], [10, null, -10]), span, () => true)).toEqual(["M0,90L0,100ZM20,110L20,100Z"]);
  });
});

test("a position and its value are inverse", () => {
  expect(scale([0, 10, 100, 0], 2.5)).toBe(75);
  expect(scale([100, 0, 0, 10], 75)).toBe(2.5);
});
