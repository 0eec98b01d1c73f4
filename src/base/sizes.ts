/** In bytes. Node cannot read a larger file in one call. */
export const MAX_SIZE = 2 * 1024 ** 3;

const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  // As curl and dd read them.
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** Parses `500M`, `500MB` or `1.5GiB` to bytes; undefined if it is not a size or less than a byte. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,15}(?:\.\d{1,9})?)\s?([a-z]+)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  const size = factor === undefined ? 0 : Math.floor(Number(amount) * factor);
  return size >= 1 ? size : undefined;
}

/** `1GiB`, `500MB`, `1234B`: the largest unit that needs no fraction. */
export function formatSize(size: number): string {
  const names = ["GiB", "GB", "MiB", "MB", "KiB", "KB"];
  const unit = names.find((name) => size % (UNITS[name.toLowerCase()] as number) === 0) ?? "B";
  return `${size / (UNITS[unit.toLowerCase()] as number)}${unit}`;
}

/** Rounded for messages: `812 B`, `6.1 kB`, `45 MB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const amount = bytes / 1000 ** power;
  return `${power > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[power] as string}`;
}
