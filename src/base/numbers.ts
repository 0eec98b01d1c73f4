/** `1,234,567`; `toLocaleString` is slow to load. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
