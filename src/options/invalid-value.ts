/** What a parser of a value throws; schemas.ts makes an issue of it. */
export class InvalidValue extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
