import { readFileSync, writeFileSync } from "node:fs";

/**
 * Places in a Windows program for 64 bits (Microsoft's PE format): where its headers begin, and its fifth data
 * directory.
 */
const HEADERS_AT = 0x3c;
const CERTIFICATES_AT = 24 + 112 + 4 * 8;

/**
 * Removes the signature of a Windows program, which is not valid once the program is changed, and would point into
 * other bytes.
 */
export function unsign(file) {
  const bytes = readFileSync(file);
  const entry = bytes.readUInt32LE(HEADERS_AT) + CERTIFICATES_AT;
  const [start, size] = [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)];
  // Signers put it at the end of the file.
  if (start + size !== bytes.length) throw new Error(`${file} has no signature at its end: use an official Node`);
  bytes.fill(0, entry, entry + 8);
  writeFileSync(file, bytes.subarray(0, start));
}
