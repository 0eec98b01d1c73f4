import { IANAZone } from "luxon";
import { usageError } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { formatList } from "../base/phrases.ts";
import { defineZone, findBuiltInZone, type Zone } from "./zone.ts";

/** Some are IANA zones: `EST` is New York's winter time there. */
const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  EST: ["AEST (UTC+10:00)", "America/New_York (UTC-05:00 in winter)"],
  EDT: ["AEDT (UTC+11:00)", "America/New_York (UTC-04:00 in summer)"],
  CST: ["ACST (UTC+09:30)", "America/Chicago (UTC-06:00 in winter)", "Asia/Shanghai (UTC+08:00)"],
  CDT: ["ACDT (UTC+10:30)", "America/Chicago (UTC-05:00 in summer)"],
  WST: ["AWST (UTC+08:00)", "Pacific/Apia (UTC+13:00)"],
};

const USE = "use network, utc, an offset such as +10:00, AEST, or a zone such as Australia/Sydney";

const USE_OFFSET = "use network, utc or an offset such as +10:00, or a Node that was built with Intl";

/** @throws {EntsError} usage: unknown or ambiguous zone, or none is known. */
export function createZone(name: string): Zone {
  const plain = findBuiltInZone(name);
  if (plain) return plain;
  const meanings = AMBIGUOUS[name.toUpperCase()];
  if (meanings) throw usageError(`"${name}" means ${formatList(meanings, "or")}, depending on the country`, USE);
  // Some versions of Node take any offset of up to 24 hours for a zone.
  if (/^(?:utc|gmt)?[+-]/i.test(name))
    throw usageError(`unknown time zone "${name}"`, "offsets are -14:00 to +14:00", { value: name });
  if (!("DateTimeFormat" in Intl))
    throw usageError(`this Node has no time zones, so it does not know "${name}"`, USE_OFFSET, { value: name });
  if (!IANAZone.isValidZone(name)) {
    const facts = { value: name, didYouMean: findNearest(name, Intl.supportedValuesOf("timeZone")) };
    throw usageError(`unknown time zone "${name}"`, USE, facts);
  }
  const zone = IANAZone.create(name);
  return defineZone(name, (instant) => zone.offset(instant));
}
