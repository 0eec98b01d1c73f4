import { findBuiltInZone, type Zone } from "./zone.ts";

/**
 * Loads luxon only for a zone that needs it, as loading adds 2 ms to a small request. @throws {EntsError} usage:
 * unknown zone.
 */
export async function openZone(name: string): Promise<Zone> {
  return findBuiltInZone(name) ?? (await import("./iana-zone.ts")).createZone(name);
}
