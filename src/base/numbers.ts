/** `1,234,567`; without the system's locales, which take long to load. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
