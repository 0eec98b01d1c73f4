import { findPlainZone, type Zone } from "./zone.ts";

/** Loads luxon only for a zone that needs it: 2 ms of a small request. @throws {EntsError} usage: unknown zone. */
export async function openZone(name: string): Promise<Zone> {
  return findPlainZone(name) ?? (await import("./iana-zone.ts")).createZone(name);
}
