/** A page of rows as columns and arrays: what all rows have in common is said once. */

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

type JsonCell = string | number | boolean | null;
type JsonRow = Readonly<Record<string, JsonCell>>;

/** Reads rows one by one; keeps those of the page, and what is to be said of all. */
export class RowReader {
  readonly #page: Page;
  readonly #kept: JsonRow[] = [];
  #first: JsonRow | undefined;
  /** Columns whose values differ. */
  readonly #varying = new Set<string>();
  #newest = Number.NEGATIVE_INFINITY;
  readonly #units = new Map<string, JsonCell>();
  #lastStamp: string | undefined;
  count = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  add(line: string): void {
    const row = JSON.parse(line) as JsonRow;
    this.#first ??= row;
    for (const name of Object.keys(row)) if (row[name] !== this.#first[name]) this.#varying.add(name);
    const { timestamp = row["last"], metric, unit } = row;
    if (metric !== undefined && unit !== undefined) this.#units.set(String(metric), unit);
    if (typeof timestamp === "string") {
      this.#lastStamp = timestamp;
      // Without an offset, the time of day is another clock's.
      if (ZONED.test(timestamp)) this.#newest = Math.max(this.#newest, Date.parse(timestamp));
    }
    const { offset, limit } = this.#page;
    if (this.count >= offset && this.count < offset + limit) this.#kept.push(row);
    this.count += 1;
  }

  /** The newest of all rows, in milliseconds since 1970 UTC; -Infinity without rows of a time. */
  get newest(): number {
    return this.#newest;
  }

  /** The timestamp of the last row, as it is printed. */
  get lastStamp(): string | undefined {
    return this.#lastStamp;
  }

  /** Texts that all rows have, by column. */
  get constant(): JsonRow {
    const row = this.count < 2 ? {} : (this.#first ?? {});
    return Object.fromEntries(
      Object.entries(row).filter(
        ([name, value]) => !this.#varying.has(name) && typeof value !== "number" && !MOMENTS.includes(name),
      ),
    );
  }

  get columns(): readonly string[] {
    const { constant } = this;
    return Object.keys(this.#first ?? {}).filter((name) => !(name in constant));
  }

  get rows(): readonly (readonly JsonCell[])[] {
    const { columns } = this;
    return this.#kept.map((row) => columns.map((name) => row[name] ?? null));
  }

  /** The unit of each metric of all rows. */
  get units(): Readonly<Record<string, JsonCell>> {
    return Object.fromEntries(this.#units);
  }
}

const ZONED = /T.*(?:Z|[+-]\d\d:\d\d)$/;
const MOMENTS = ["timestamp", "interval_end", "period"];
