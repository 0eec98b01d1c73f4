import { IANAZone } from "luxon";
import { usageError } from "../base/errors.ts";
import { didYouMean, findNearest } from "../base/phrases.ts";
import { defineZone, findBuiltInZone, type Zone } from "./zone.ts";

/** @throws {EntsError} usage: unknown zone. */
export function createZone(name: string): Zone {
  const plain = findBuiltInZone(name);
  if (plain) return plain;
  if (!IANAZone.isValidZone(name)) {
    const nearest = findNearest(name, Intl.supportedValuesOf("timeZone"));
    throw usageError(`unknown time zone "${name}"${didYouMean(nearest)}`, "use network, utc, or a zone such as Australia/Sydney");
  }
  const zone = IANAZone.create(name);
  return defineZone(name, (instant) => zone.offset(instant));
}
