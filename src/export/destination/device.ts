/** Pipes, devices and open descriptors, which are written to like standard output. */
import { constants, createWriteStream, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../base/context.ts";
import { codeOf } from "../../base/errors.ts";
import type { Sink } from "./interface.ts";
import { createStreamSink } from "./stream.ts";
import { type StreamTarget, toFileError } from "./target.ts";

/** @throws {EntsError} output: it cannot be opened; the signal's reason. */
export async function openDeviceSink(
  target: StreamTarget,
  { stderr, signal }: Pick<Context, "stderr" | "signal">,
  note?: (text: string) => void,
): Promise<Sink> {
  const { name } = target;
  if (target.kind === "descriptor" && target.fd === 2) return createStreamSink(stderr.stream, name, signal);
  const slow = setTimeout(() => note?.(`waiting for a reader of ${name}`), SLOW_MS);
  const stream = await openStream(target, signal)
    .catch((error: unknown) => {
      signal.throwIfAborted();
      throw toFileError(error, name);
    })
    .finally(() => clearTimeout(slow));
  const close = async () => {
    stream.destroy();
  };
  return { ...createStreamSink(stream, name, signal), commit: close, discard: close };
}

async function openStream(target: StreamTarget, signal: AbortSignal): Promise<Writable> {
  const fd = await openDescriptor(target, signal);
  const status = fstatSync(fd);
  const stream =
    status.isFIFO() || status.isSocket() ? new Socket({ fd, readable: false }) : createWriteStream(target.name, { fd });
  // Each write reports its own error.
  return stream.on("error", () => {});
}

const READER_POLL_MS = 50;
/** Time without a reader after which a note says that ents waits for one. */
const SLOW_MS = 1000;

/** Waits until a named pipe has a reader: a blocking `open` could not be interrupted. */
async function openDescriptor(target: StreamTarget, signal: AbortSignal): Promise<number> {
  if (target.kind === "descriptor") return openPipeAnew(target.fd);
  if (target.kind === "device") return openSync(target.path, constants.O_WRONLY | constants.O_NOCTTY);
  for (;;) {
    try {
      return openSync(target.path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (codeOf(error) !== "ENXIO") throw error;
      await sleep(READER_POLL_MS, undefined, { signal });
    }
  }
}

/** Reopens a pipe in non-blocking mode: setting that on the open descriptor would affect other processes. */
function openPipeAnew(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // The reader has left, which the first write reports.
    return fd;
  }
}
