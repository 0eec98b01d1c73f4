/**
 * Four ways decide which points share a row: by rows, by lines of bytes, by frames, and by counting only. They agree.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBody } from "../../src/decode/decode.ts";
import { encodeChunks } from "../../src/format/encode.ts";
import { NO_SCREEN } from "../../src/format/format.ts";
import { FORMATS } from "../../src/format/registry.ts";
import { isKnown } from "../../src/series/decoded-response.ts";
import { addColumns, startColumns } from "../../src/series/layout/columns.ts";
import { createLayout } from "../../src/series/layout/create-layout.ts";
import { walkTimedRows } from "../../src/series/layout/rows.ts";
import { printAsSent } from "../../src/time/timestamp-printer.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { draws } from "../support/extent.ts";
import { sortedAnswers, toBody } from "./generators.ts";

test("the rows of every format are as many", async () => {
  await fc.assert(
    fc.asyncProperty(sortedAnswers, fc.constantFrom(undefined, "region"), async (body, pivot) => {
      const answer = decodeBody(Buffer.from(toBody(body)));
      if (!isKnown(answer)) throw answer.problem;
      const { timeSeries } = answer;
      const layout = { shape: "wide", pivot } as const;
      const columns = addColumns(startColumns([], { pivot }), timeSeries);
      const laid = createLayout(layout, columns);
      const expected = [...walkTimedRows(laid, laid.place(timeSeries))].length;
      const count = async (format: "csv" | "ndjson" | "table" | "arrow") => {
        let rows = 0;
        const chunks = (async function* () {
          yield { heads: [], timeSeries };
        })();
        const formatOptions = { header: true, screen: NO_SCREEN, ...layout };
        const how = {
          format: await FORMATS[format].load(),
          formatOptions,
          layout,
          printTimestamp: printAsSent,
          zone: createZone("network"),
        };
        for await (const _ of encodeChunks(chunks, { ...how, columns, onRows: (more) => (rows += more) })) continue;
        return rows;
      };
      const counts = {
        csv: await count("csv"),
        ndjson: await count("ndjson"),
        table: await count("table"),
        arrow: await count("arrow"),
      };
      expect(counts).toEqual({ csv: expected, ndjson: expected, table: expected, arrow: expected });
    }),
    { numRuns: draws(15, 2000, 40) },
  );
});
