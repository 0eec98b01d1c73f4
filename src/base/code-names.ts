/** Names for reading of the codes that labels have. */
import { FUELTECH_NAMES } from "./fueltechs.ts";
import { REGION_NAMES } from "./vocabulary.ts";

const RENEWABLE_NAMES = { true: "Renewable", false: "Not renewable" };

const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fueltech: FUELTECH_NAMES,
  fueltech_group: FUELTECH_NAMES,
  renewable: RENEWABLE_NAMES,
  region: REGION_NAMES,
  network_region: REGION_NAMES,
};

/** `Black coal`, `New South Wales`; undefined for a label or a code without a name. */
export function nameCode(label: string, code: string): string | undefined {
  const names = Object.hasOwn(NAMES, label) ? NAMES[label] : undefined;
  return names && Object.hasOwn(names, code) ? names[code] : undefined;
}

/** True for the labels whose codes have names. */
export function hasNames(label: string): boolean {
  return Object.hasOwn(NAMES, label);
}

/** The name of a code, or the code itself if it has none or `isRaw`. */
export function nameOrCode(label: string, code: string, isRaw: boolean): string {
  return (isRaw ? undefined : nameCode(label, code)) ?? code;
}

/** True for the labels whose values are regions. */
export function isRegion(label: string): boolean {
  return label === "region" || label === "network_region";
}

const REGION_INITIALS: Readonly<Record<string, string>> = {
  NSW1: "NSW",
  QLD1: "Qld",
  SA1: "SA",
  TAS1: "Tas",
  VIC1: "Vic",
  WEM: "WA",
};

/** The same, with short names of regions: `NSW`, `Qld`. */
export function nameCodeBriefly(label: string, code: string): string | undefined {
  return isRegion(label) && Object.hasOwn(REGION_INITIALS, code) ? REGION_INITIALS[code] : nameCode(label, code);
}
