/** `1,234,567` */
export function formatNumber(count: number): string {
  return groupDigits(String(count));
}

/** Thousands separated, in the digits of a whole number; `toLocaleString` is slow to load. */
export function groupDigits(digits: string): string {
  return digits.length <= 3 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 point`, `1,234 points` */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
