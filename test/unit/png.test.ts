import { expect, test } from "vitest";
import { png } from "../../src/format/picture/svg/png.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { OPTIONS } from "./encode.ts";
import { createItem } from "./pictures.ts";

async function paint(item: TimeSeries): Promise<Buffer> {
  const encoder = png.open(
    { columns: [], printTimestamp: (timestamp) => timestamp, zone: createZone("network") },
    { ...OPTIONS, width: 600, height: 400 },
  );
  const parts: (string | Uint8Array)[] = [];
  const batch = { rows: () => [], placed: [], chunk: { heads: [], timeSeries: [item] } };
  for await (const part of encoder.write(batch)) parts.push(part);
  for await (const part of encoder.end()) parts.push(part);
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

test("an image of twice as many pixels, with texts in a font of its own", async () => {
  const image = await paint(createItem("price $/MWh 5m", [[{ region: "NSW1" }, [1, 2, 3]]]));
  expect(image.subarray(1, 4).toString()).toBe("PNG");
  // Width and height are the first two numbers of the header.
  expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([1200, 800]);
  expect(await paint(createItem("price $/MWh 5m", [[{ region: "NSW1" }, [1, 2, 3]]]))).toEqual(image);
  // Another region changes nothing but the title, and the colour of the line.
  const other = await paint(createItem("price $/MWh 5m", [[{ area: "A" }, [1, 2, 3]]]));
  const another = await paint(createItem("price $/MWh 5m", [[{ area: "Ж" }, [1, 2, 3]]]));
  expect(another.equals(other)).toBe(false);
});
