/** Formats that can grow: `--follow` reopens them for each round, after the first without a header. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBody } from "../../src/decode/decode.ts";
import { encodeChunks } from "../../src/format/encode.ts";
import { NO_SCREEN } from "../../src/format/format.ts";
import { findFormats, FORMATS } from "../../src/format/registry.ts";
import { once } from "../../src/follow/print-new.ts";
import { isKnown } from "../../src/series/decoded-response.ts";
import { addColumns, startColumns } from "../../src/series/layout/columns.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { printAsSent } from "../../src/time/timestamp-printer.ts";
import { type ItemModel, sortedAnswers, toBody } from "./generators.ts";

function read(items: readonly ItemModel[]): readonly TimeSeries[] {
  const answer = decodeBody(Buffer.from(toBody(items)));
  if (!isKnown(answer)) throw answer.problem;
  return answer.timeSeries;
}

function keepPoints(items: readonly ItemModel[], isStored: (timestamp: string) => boolean): ItemModel[] {
  const keep = (series: ItemModel["series"]) =>
    series.map((one) => ({ ...one, points: one.points.filter(([timestamp]) => isStored(timestamp)) }));
  return items.map((item) => ({ ...item, series: keep(item.series) }));
}

test.each(findFormats(({ grows }) => grows))(
  "%s: output added without a header has the bytes of one output",
  async (name) => {
    const format = await FORMATS[name].load();
    const property = async (items: ItemModel[], shape: "long" | "wide", cut: string) => {
      const columns = addColumns(startColumns([], {}), read(items));
      const print = async (some: readonly ItemModel[], header: boolean) => {
        const formatOptions = { header, shape, screen: NO_SCREEN };
        const how = {
          format,
          formatOptions,
          layout: { shape },
          columns,
          printTimestamp: printAsSent,
          zone: createZone("network"),
        };
        const parts: Buffer[] = [];
        for await (const part of encodeChunks(once({ heads: [], timeSeries: read(some) }), how))
          parts.push(Buffer.from(part));
        return Buffer.concat(parts).toString();
      };
      const [before, after] = [
        keepPoints(items, (timestamp) => timestamp < cut),
        keepPoints(items, (timestamp) => timestamp >= cut),
      ];
      expect((await print(before, true)) + (await print(after, false))).toBe(await print(items, true));
    };
    const cuts = fc.constantFrom("2025-01-31T01", "2025-01-31T03");
    await fc.assert(fc.asyncProperty(sortedAnswers, fc.constantFrom("long", "wide"), cuts, property));
  },
);
