/** Bytes are copied in words of 4; the next copy overwrites the excess of the last one. */
const WORD = 4;

/** Text as bytes that can be copied in whole words. */
export interface Text {
  readonly view: DataView;
  readonly length: number;
}

export function toText(text: string): Text {
  const bytes = Buffer.from(text);
  return { view: viewBytes(Buffer.concat([bytes, Buffer.alloc(WORD)])), length: bytes.length };
}

export function viewBytes({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Memory that is filled with copies, handed on, and filled again. */
export class ByteChunk {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at = 0;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size + WORD);
    this.#view = viewBytes(this.#bytes);
  }

  /** Bytes written since the last `take`. */
  get length(): number {
    return this.#at;
  }

  /** `source` has at least three bytes after those copied. */
  copy(source: DataView, from: number, length: number): void {
    const at = this.#at;
    for (let index = 0; index < length; index += WORD) this.#view.setInt32(at + index, source.getInt32(from + index, true), true);
    this.#at = at + length;
  }

  append({ view, length }: Text): void {
    this.copy(view, 0, length);
  }

  /** The bytes written since the last call; valid until the next write. */
  take(): Uint8Array {
    const written = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    return written;
  }
}
