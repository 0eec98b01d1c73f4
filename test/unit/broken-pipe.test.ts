/** A reader that closes the pipe is not an error, whatever the platform calls it. */
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { BrokenPipe, EntsError } from "../../src/base/errors.ts";
import { createStreamSink } from "../../src/export/destination/stream.ts";

test.each([
  ["EPIPE", BrokenPipe],
  ["EOF", BrokenPipe],
  ["ERR_STREAM_DESTROYED", BrokenPipe],
  ["ENOSPC", EntsError],
])("a write that fails with %s", async (code, kind) => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
  stream.on("error", () => {});
  const sink = createStreamSink(stream, "standard output", new AbortController().signal);
  await expect(sink.write("text")).rejects.toBeInstanceOf(kind);
});
