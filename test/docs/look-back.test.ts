/**
 * The commands at the top of the page about looking back, and their output, from a service that corrects an old value.
 */
import { expect, test } from "vitest";
import { STEP } from "../merge/model-intervals.ts";
import { createNights, createSeries, START } from "../update/nights.ts";
import { add } from "../update/world.ts";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { readPlainLine } from "../support/shell-words.ts";
import { listBlocks, readPage } from "./markdown.ts";

const PRICES = { NSW1: 1.5, VIC1: 1.25 };

test("the page shows what really appears", async () => {
  const [block] = listBlocks(readPage("docs/look-back.md")).filter(({ language }) => language === "text");
  const [made] = listBlocks(readPage("docs/look-back.md")).filter(({ language }) => language === "sh");
  const commands = (block?.lines ?? []).filter((line) => line.startsWith("$ "));
  const series = Object.entries(PRICES).map(([region, base]) => ({
    ...createSeries(region),
    metric: "price",
    base,
    slope: 0,
  }));
  const mark = (text: string) => text.replaceAll('"unit":"MW"', '"unit":"$/MWh"');
  const nights = await createNights([], series, { first: 0, mark });
  // At ten past four.
  nights.goTo(30 + 250 / 1440);
  expect((await nights.run(...(readPlainLine(made?.lines[0] ?? "")?.args ?? []))).code).toBe(0);
  // The service halves an old value.
  const from = (START + 2 * DAY + 17 * HOUR) / STEP;
  nights.change({
    series: series.map((one) =>
      one.labels["region"] === "NSW1" ? { ...one, nulls: add(one.nulls, [from, from + 30]) } : one,
    ),
  });
  nights.goTo(31 + 250 / 1440);
  const shown: string[] = [];
  for (const line of commands) {
    const { args = [] } = readPlainLine(line.slice(2)) ?? {};
    const { stdout, stderr, code } = await nights.run(...args);
    expect({ line, code }).toEqual({ line, code: 0 });
    shown.push(line, ...(stderr + stdout).split("\n").slice(0, -1), "");
  }
  expect(shown.slice(0, -1)).toEqual(block?.lines);
});
