import type { Writable } from "node:stream";
import { codeOf, EntsError, messageOf, BrokenPipe } from "../../base/errors.ts";
import type { Sink } from "./sink.ts";

/** A sink on an open stream, such as standard output. */
export function createStreamSink(stream: Writable, name: string): Sink {
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        // After a failed write, later errors only say that the stream is destroyed.
        stream.write(text, (error) => (error ? reject(toWriteError(stream.errored ?? error, name)) : resolve()));
      }),
    commit: async () => {},
    discard: async () => {},
  };
}

function toWriteError(error: Error, name: string): Error {
  const code = codeOf(error);
  if (code === "EPIPE" || code === "ERR_STREAM_DESTROYED") return new BrokenPipe("the reader closed the pipe", { cause: error });
  return new EntsError("output", `cannot write to ${name}: ${messageOf(error)}`, { cause: error });
}
