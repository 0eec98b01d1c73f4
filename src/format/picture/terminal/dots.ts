/** Lines in braille dots: two columns and four rows of dots in a cell. */

/** The dots of each braille character by column and row (Unicode, Braille Patterns). */
const BITS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const BRAILLE = 0x2800;

export const DOTS = { across: 2, down: 4 };

/** The dots of one series, as bits of the cells that they are in. */
export class Dots {
  readonly width: number;
  readonly cells: Uint8Array;

  /** Dots for a plot of so many cells. */
  constructor(width: number, height: number) {
    this.width = width;
    this.cells = new Uint8Array(width * height);
  }

  /** `x` and `y` in dots from the upper left. */
  set(x: number, y: number): void {
    const cell = (y >> 2) * this.width + (x >> 1);
    this.cells[cell] = (this.cells[cell] ?? 0) | (BITS[x & 1]?.[y & 3] ?? 0);
  }

  /** Four dots in a cell: a point that no line leads to is seen. */
  enlarge(x: number, y: number): void {
    for (const nearX of [x, x ^ 1]) for (const nearY of [y, y ^ 1]) this.set(nearX, nearY);
  }

  /** A straight line. */
  connect(fromX: number, fromY: number, to: { readonly x: number; readonly y: number }): void {
    const steps = Math.max(Math.abs(to.x - fromX), Math.abs(to.y - fromY), 1);
    for (let step = 0; step <= steps; step++) {
      this.set(Math.round(fromX + ((to.x - fromX) * step) / steps), Math.round(fromY + ((to.y - fromY) * step) / steps));
    }
  }
}

export function toBraille(bits: number): string {
  return String.fromCharCode(BRAILLE + bits);
}

export function countDots(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest &= rest - 1) count++;
  return count;
}
