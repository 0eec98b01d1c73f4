/** Units that people say for large values: prefixes of MW, MWh and t, and the short scale of dollars. */

export interface LargerUnit {
  readonly name: string;
  /** It is ten to this power of the service's unit. */
  readonly power: number;
}

const LARGER_UNITS: Readonly<Record<string, readonly LargerUnit[]>> = {
  MW: [{ name: "GW", power: 3 }],
  MWh: [
    { name: "GWh", power: 3 },
    { name: "TWh", power: 6 },
  ],
  $: [
    { name: "$k", power: 3 },
    { name: "$m", power: 6 },
    { name: "$bn", power: 9 },
  ],
  t: [
    { name: "kt", power: 3 },
    { name: "Mt", power: 6 },
  ],
};

/** From the smallest to the largest; none for other units. */
export function listLargerUnits(unit: string): readonly LargerUnit[] {
  return (Object.hasOwn(LARGER_UNITS, unit) ? LARGER_UNITS[unit] : undefined) ?? [];
}
