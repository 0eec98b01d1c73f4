/**
 * Stateless value noise: lattice points are 32-bit hashes of (seed, index), with smooth interpolation between them.
 * The results are the same on every machine and in any order of calls.
 */
import { STEPS_PER_DAY } from "./clock.ts";

interface NoiseLayer {
  readonly seed: number;
  /** Steps between two lattice points. */
  readonly period: number;
  readonly amplitude: number;
}

/** FNV-1a of a name. */
export function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Uniform in [0, 1). */
export function hashUnit(seed: number, index: number): number {
  let hash = Math.imul(index ^ (seed >>> 7), 0x9e3779b1) ^ seed;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

/** Smooth noise within ±1, at one step. */
export function noiseAt(seed: number, step: number, period: number): number {
  const index = Math.floor(step / period);
  const fraction = step / period - index;
  const left = 2 * hashUnit(seed, index) - 1;
  const rise = 2 * hashUnit(seed, index + 1) - 1 - left;
  return left + rise * fraction * fraction * (3 - 2 * fraction);
}

/** The sum of layers, each within ± its amplitude, for consecutive steps from the start of `day`. */
export function noise(day: number, layers: readonly NoiseLayer[], length = STEPS_PER_DAY): Float64Array {
  const values = new Float64Array(length);
  for (const layer of layers) addLayer(values, day * STEPS_PER_DAY, layer);
  return values;
}

function addLayer(values: Float64Array, first: number, { seed, period, amplitude }: NoiseLayer): void {
  let index = Math.floor(first / period);
  let within = first - index * period;
  let left = 2 * hashUnit(seed, index) - 1;
  let rise = 2 * hashUnit(seed, index + 1) - 1 - left;
  for (let i = 0; i < values.length; i++) {
    const fraction = within / period;
    values[i]! += amplitude * (left + rise * fraction * fraction * (3 - 2 * fraction));
    within++;
    if (within < period) continue;
    within = 0;
    index++;
    left += rise;
    rise = 2 * hashUnit(seed, index + 1) - 1 - left;
  }
}
