/** Bytes are copied in 4-byte words; the next copy overwrites any excess bytes. */
const WORD = 4;

/** Text as bytes, padded for copying in whole words. */
export interface Text {
  readonly view: DataView;
  readonly length: number;
}

export function encodeShort(text: string): Text {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text) + WORD);
  return { view: viewBytes(bytes), length: bytes.write(text) };
}

export function viewBytes({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** An output buffer that is filled, handed on and reused. */
export class ByteChunk {
  readonly view: DataView;
  length = 0;
  readonly #bytes: Buffer;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size + WORD);
    this.view = viewBytes(this.#bytes);
  }

  /** `source` must have at least three bytes after the copied ones. */
  copy(source: DataView, from: number, length: number): void {
    this.length = put(this.view, this.length, source, from, length);
  }

  append({ view, length }: Text): void {
    this.copy(view, 0, length);
  }

  /** Returns the bytes written since the last call; valid until the next write. */
  take(): Uint8Array {
    const written = this.#bytes.subarray(0, this.length);
    this.length = 0;
    return written;
  }
}

/**
 * Copies like `ByteChunk.copy` and returns the end position; faster for several copies in a row. `source`: see there.
 */
// oxlint-disable-next-line max-params -- an object for each copy would take the time that this saves
export function put(view: DataView, at: number, source: DataView, from: number, length: number): number {
  for (let index = 0; index < length; index += WORD)
    view.setInt32(at + index, source.getInt32(from + index, true), true);
  return at + length;
}
