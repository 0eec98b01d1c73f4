/** What an output keeps of an earlier run does not go with what came: more of it is to be fetched and written again. */
export class NeedsMore extends Error {
  override readonly name = "NeedsMore";
  /** Rows from this instant on, in milliseconds since 1970 UTC; -Infinity for all. */
  readonly since: number;

  constructor(why: string, since: number) {
    super(why);
    this.since = since;
  }
}
