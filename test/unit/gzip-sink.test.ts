import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createGzipSink } from "../../src/export/destination/gzip.ts";
import { type Sink, writeAll } from "../../src/export/destination/interface.ts";

/** Records what reaches the sink. */
function createMemorySink(write: (part: Uint8Array) => Promise<void> | undefined = () => undefined) {
  const parts: Uint8Array[] = [];
  const calls: string[] = [];
  const sink: Sink = {
    write: async (part) => {
      await write(part as Uint8Array);
      parts.push(Uint8Array.from(part as Uint8Array));
    },
    commit: async () => void calls.push("commit"),
    discard: async () => void calls.push("discard"),
  };
  return { sink, calls, bytes: () => Buffer.concat(parts) };
}

/** Text of any characters. fast-check's own `binary` unit lists all of them first, which takes a second. */
const texts = fc.array(fc.integer({ max: 0x10ffff, min: 0 })).map((codes) => String.fromCodePoint(...codes));

test("any parts are decompressed unchanged, even if their memory is reused", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(texts, fc.uint8Array({ maxLength: 1000 }))), async (parts) => {
      const memory = createMemorySink();
      const sink = createGzipSink(memory.sink);
      for (const part of parts) {
        const sent = typeof part === "string" ? part : Uint8Array.from(part);
        await sink.write(sent);
        if (typeof sent !== "string") sent.fill(0);
      }
      await sink.commit();
      const expected = Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
      expect(gunzipSync(memory.bytes()).equals(expected)).toBe(true);
      // RFC 1952: the platform, which would differ, is unknown.
      expect(memory.bytes()[9]).toBe(255);
      expect(memory.calls).toEqual(["commit"]);
    }),
    { numRuns: 30 },
  );
});

/** Text that hardly compresses. */
function* randomParts(count: number): Generator<Uint8Array> {
  for (let part = 0; part < count; part++) yield crypto.getRandomValues(new Uint8Array(64 * 1024));
}

test("a slow sink slows the writer", async () => {
  let received = 0;
  const memory = createMemorySink(async (part) => {
    await sleep(1);
    received += part.length;
  });
  const sink = createGzipSink(memory.sink);
  let written = 0;
  let most = 0;
  for (const part of randomParts(20)) {
    await sink.write(part);
    written += part.length;
    most = Math.max(most, written - received);
  }
  await sink.commit();
  expect(written).toBe(20 * 64 * 1024);
  expect(most).toBeLessThan(256 * 1024);
});

test("the sink's own error is reported, and the file discarded", async () => {
  const full = new Error("no space left");
  const memory = createMemorySink(() => Promise.reject(full));
  await expect(writeAll(createGzipSink(memory.sink), randomParts(20))).rejects.toBe(full);
  expect(memory.calls).toEqual(["discard"]);
});

test("if the sink fails at the end, nothing is committed", async () => {
  const full = new Error("no space left");
  const memory = createMemorySink(() => Promise.reject(full));
  await expect(writeAll(createGzipSink(memory.sink), ["a few bytes"])).rejects.toBe(full);
  expect(memory.calls).toEqual(["discard"]);
});

test("a file discarded halfway is not committed", async () => {
  const memory = createMemorySink();
  const stop = new Error("stopped");
  const parts = function* () {
    yield "timestamp";
    throw stop;
  };
  await expect(writeAll(createGzipSink(memory.sink), parts())).rejects.toBe(stop);
  expect(memory.calls).toEqual(["discard"]);
});
