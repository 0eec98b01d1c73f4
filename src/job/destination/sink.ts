/** Where an output goes: nothing of it counts until `commit`. */
export interface Sink {
  /** Resolves when the text is taken: its memory may be used again, and the next may come. @throws {EntsError} output; {BrokenPipe} when nobody reads on. */
  write(text: string | Uint8Array): Promise<void>;
  commit(): Promise<void>;
  /** Leaves everything as it was before, as far as that can be. */
  discard(): Promise<void>;
}
