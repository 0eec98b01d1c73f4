/** Columns of help: of a narrow terminal and in a pipe, and of a wide terminal. The build prints the help of these beforehand. */
export const HELP_WIDTHS = [80, 100] as const;

/** `columns`: of the terminal; undefined or 0 for none. */
export function findHelpWidth(columns: number | undefined): number {
  const [inPipe, widest] = HELP_WIDTHS;
  return Math.min(columns || inPipe, widest);
}
