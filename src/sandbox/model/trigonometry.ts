/**
 * Sine and cosine by arithmetic: the last digit of Math.sin may differ between JavaScript engines, and the sandbox's
 * numbers must not.
 */

/** Of an angle in turns; accurate to 12 decimals. */
export function cosineOfTurns(turns: number): number {
  const fraction = turns - Math.floor(turns);
  const folded = Math.min(fraction, 1 - fraction);
  return folded > 0.25 ? -cosineOfQuarter(0.5 - folded) : cosineOfQuarter(folded);
}

export function sineOfTurns(turns: number): number {
  return cosineOfTurns(turns - 0.25);
}

/** Denominators of the Taylor series: n (n - 1) for n = 16, 14, …, 2. */
const STEPS = [240, 182, 132, 90, 56, 30, 12, 2];

function cosineOfQuarter(turns: number): number {
  const angle = 2 * Math.PI * turns;
  const square = angle * angle;
  return STEPS.reduce((sum, step) => 1 - (square / step) * sum, 1);
}
