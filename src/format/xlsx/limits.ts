/** What a worksheet holds, with its header: 1,048,576 rows and 16,384 columns. */
export const MAX_ROWS = 2 ** 20 - 1;
export const MAX_COLUMNS = 2 ** 14;
