/** IANA time zones. */
import { IANAZone } from "luxon";
import { usageError } from "../base/errors.ts";
import { didYouMean, findNearest } from "../base/phrases.ts";
import { defineZone, findPlainZone, type Zone } from "./zone.ts";

/** @throws {EntsError} usage: unknown zone. */
export function createZone(name: string): Zone {
  return findPlainZone(name) ?? createIanaZone(name);
}

function createIanaZone(name: string): Zone {
  if (!IANAZone.isValidZone(name)) throw unknownZone(name);
  const zone = IANAZone.create(name);
  return defineZone(name, (instant) => zone.offset(instant));
}

function unknownZone(zone: string): Error {
  const nearest = findNearest(zone, Intl.supportedValuesOf("timeZone"));
  return usageError(`unknown time zone "${zone}"${didYouMean(nearest)}`, "use network, utc, or a zone such as Australia/Sydney");
}
