/** Columns of help: in a pipe or an 80-column terminal, and the maximum. The build prints help at these widths in advance. */
export const HELP_WIDTHS = [80, 100] as const;

/** `columns`: of the terminal; undefined or 0 for none. */
export function findHelpWidth(columns: number | undefined): number {
  const [inPipe, widest] = HELP_WIDTHS;
  return Math.min(columns || inPipe, widest);
}
