import type { Writable } from "node:stream";
import { BrokenPipe, codeOf, EntsError, isBrokenPipe } from "../../base/errors.ts";
import { describeSystemError } from "../../files/system-error.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import type { Sink } from "./interface.ts";

/** A sink on an open stream, such as standard output. The signal ends a wait for a reader that has stopped reading. */
export function createStreamSink(stream: Writable, name: string, signal: AbortSignal): Sink {
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const stop = () => reject(signal.reason as Error);
        signal.addEventListener("abort", stop, { once: true });
        stream.write(text, (error) => {
          signal.removeEventListener("abort", stop);
          // After a failed write, later errors only say that the stream is destroyed.
          if (error) reject(toWriteError(stream.errored ?? error, name));
          else resolve();
        });
      }),
    commit: async () => {},
    discard: async () => {},
  };
}

function toWriteError(error: Error, name: string): Error {
  const code = codeOf(error);
  if (isBrokenPipe(error) || code === "ERR_STREAM_DESTROYED")
    return new BrokenPipe("the reader closed the pipe", { cause: error });
  // EBADF: the stream is closed, or its data are discarded in a way that looks the same (src/files/descriptors.ts).
  const hint = code === "EBADF" ? `to discard the data, use ${OUTPUT_OPTIONS.output.short} /dev/null` : undefined;
  return new EntsError("output", `cannot write to ${name}: ${describeSystemError(error)}`, { cause: error, hint });
}
