/** Buffers are compared at once, where `toEqual` goes from byte to byte. */
import { expect } from "vitest";

let isSet = false;

/** Once a worker: testers stay from file to file. */
export function compareBytesAtOnce(): void {
  if (isSet) return;
  isSet = true;
  expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)]);
}
