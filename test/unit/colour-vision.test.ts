/**
 * Colours that are told apart with any colour vision, by simulation (Machado, Oliveira and Fernandes 2009, full
 * severity).
 */
import { type LabColor, lab, rgb } from "d3-color";
import { expect, test } from "vitest";
import { FUELTECH_COLOURS, PALETTE, REGION_COLOURS } from "../../src/base/colours.ts";

type Matrix = readonly (readonly [number, number, number])[];

const VISIONS: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** From a channel of sRGB, 0 to 255, to linear light, and back. */
const toLight = (channel: number) =>
  channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
const fromLight = (light: number) => 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);

function see(colour: string, vision: Matrix): LabColor {
  const { r, g, b } = rgb(colour);
  const [red, green, blue] = [r, g, b].map(toLight) as [number, number, number];
  const [seenRed = 0, seenGreen = 0, seenBlue = 0] = vision.map(([x, y, z]) =>
    fromLight(Math.min(1, Math.max(0, x * red + y * green + z * blue))),
  );
  return lab(rgb(seenRed, seenGreen, seenBlue));
}

/** The least distance (CIE76) with any colour vision. */
function distance(one: string, other: string): number {
  return Math.min(
    ...Object.values(VISIONS).map((vision) => {
      const [a, b] = [see(one, vision), see(other, vision)];
      return Math.hypot(a.l - b.l, a.a - b.a, a.b - b.b);
    }),
  );
}

function listClose(
  colours: Readonly<Record<string, string>>,
  least: (nameOne: string, nameOther: string) => number,
): string[] {
  const entries = Object.entries(colours);
  return entries.flatMap(([nameOne, one], index) =>
    entries
      .slice(index + 1)
      .flatMap(([nameOther, other]) =>
        distance(one, other) < least(nameOne, nameOther) ? [`${nameOne}, ${nameOther}`] : [],
      ),
  );
}

function pick(names: readonly (keyof typeof FUELTECH_COLOURS)[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, FUELTECH_COLOURS[name]]));
}

const STACK = [
  "coal_brown",
  "coal_black",
  "bioenergy_biogas",
  "bioenergy_biomass",
  "distillate",
  "gas_steam",
  "gas_ccgt",
  "gas_ocgt",
  "gas_recip",
  "gas_wcmg",
  "battery_discharging",
  "hydro",
  "wind",
  "solar_utility",
  "solar_rooftop",
  "pumps",
  "battery_charging",
] as const;

test("fueltechs that may touch in a stack differ clearly, and any two at least a little", () => {
  const isNear = (one: string, other: string) =>
    Math.abs(STACK.findIndex((name) => name === one) - STACK.findIndex((name) => name === other)) <= 3;
  expect(listClose(pick(STACK), (one, other) => (isNear(one, other) ? 13 : 6))).toEqual([]);
});

test("fueltech groups differ", () => {
  const groups = pick([
    "coal",
    "bioenergy",
    "distillate",
    "gas",
    "battery_discharging",
    "hydro",
    "wind",
    "solar",
    "pumps",
    "battery_charging",
  ]);
  expect(listClose(groups, () => 13)).toEqual([]);
});

test("lines of regions differ, and those of anything else", () => {
  const { NEM: _, ...regions } = REGION_COLOURS;
  expect(listClose(regions, () => 18)).toEqual([]);
  expect(listClose(Object.fromEntries(PALETTE.entries()), () => 12)).toEqual([]);
});

test("a line of any of them is dark enough on a light page", () => {
  const luminance = (colour: string) => {
    const { r, g, b } = rgb(colour);
    return 0.2126 * toLight(r) + 0.7152 * toLight(g) + 0.0722 * toLight(b);
  };
  const contrast = (colour: string) => 1.05 / (luminance(colour) + 0.05);
  for (const colour of [...Object.values(REGION_COLOURS), ...PALETTE])
    expect(contrast(colour)).toBeGreaterThanOrEqual(3);
});
