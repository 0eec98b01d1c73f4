/** Where an output goes: nothing of it counts until `commit`. */
export interface Sink {
  /** Resolves when the next text may come. @throws {EntsError} output; {ReaderLeft} when nobody reads on. */
  write(text: string): Promise<void>;
  commit(): Promise<void>;
  /** Leaves everything as it was before, as far as that can be. */
  discard(): Promise<void>;
}
