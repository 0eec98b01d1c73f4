/** The limits of a worksheet: 1,048,576 rows, one of them the header, and 16,384 columns. */
export const MAX_ROWS = 2 ** 20 - 1;
export const MAX_COLUMNS = 2 ** 14;
