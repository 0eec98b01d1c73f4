/**
 * Passes over informational responses, as RFC 9110 (15.2) demands of every client: undici ends a connection with `100
 * Continue`.
 */
import type { Socket } from "node:net";

/** The whole head of a 1xx response. 101 is none of them: it changes the protocol, which ents never asks for. */
const INFORMATIONAL = /^HTTP\/1\.\d 1(?!01)\d\d.*\r?\n(?:.+\r?\n)*\r?\n/;
/**
 * Bytes of the head of a response; undici's own 16 KB are too few for some proxies. A longer one is left to undici,
 * which refuses it.
 */
export const MAX_HEAD = 64 * 1024;

/** Changes what a socket reads, from each request to the first byte of its final response. */
export function passOverInformational(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...request: unknown[]) => boolean;
  let isWaiting = false;
  let held: Buffer = Buffer.alloc(0);
  socket.write = (...request: unknown[]): boolean => {
    isWaiting = true;
    return write(...request);
  };
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (!isWaiting || chunk === null) return chunk;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (mayBeInformational(held)) {
      const [head] = INFORMATIONAL.exec(held.toString("latin1", 0, MAX_HEAD)) ?? [];
      if (head === undefined) return null;
      held = held.subarray(head.length);
    }
    isWaiting = false;
    const response = held;
    held = Buffer.alloc(0);
    return response;
  };
}

const START = "HTTP/1.1 1";

function mayBeInformational(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, START.length + 2);
  return bytes.length < START.length
    ? START.startsWith(start)
    : bytes.length < MAX_HEAD && /^HTTP\/1\.\d 1(?!01)/.test(start);
}
