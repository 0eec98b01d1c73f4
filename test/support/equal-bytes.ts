/** Compares buffers as a whole; `toEqual` compares byte by byte. */
import { expect } from "vitest";

let isSet = false;

/** Once per worker: testers persist across files. */
export function compareBytesAtOnce(): void {
  if (isSet) return;
  isSet = true;
  expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)]);
}
