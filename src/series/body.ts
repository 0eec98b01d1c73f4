/** Smaller buffers are left to the garbage collector; Node allocates small ones from a shared pool. */
const MIN_FREED_BYTES = 64 * 1024;

/** The bytes of a response body, from which points are decoded. */
export class Body {
  #bytes: Buffer | undefined;
  readonly #ownsMemory: boolean;
  /** The first unused byte of the memory behind the bytes. */
  #unused: number;

  /** `ownsMemory`: true if nothing else uses the underlying memory. */
  constructor(bytes: Buffer, ownsMemory = false) {
    this.#bytes = bytes;
    this.#ownsMemory = ownsMemory && bytes.length >= MIN_FREED_BYTES;
    this.#unused = this.#ownsMemory ? bytes.byteOffset + bytes.length : Number.POSITIVE_INFINITY;
  }

  /** @throws if it was freed. */
  get bytes(): Buffer {
    if (this.#bytes === undefined) throw new Error("a point is read after its body was freed");
    return this.#bytes;
  }

  /** Applies `change` to the bytes; returns this body if `change` returns the same buffer. */
  map(change: (bytes: Buffer) => Buffer): Body {
    const changed = change(this.bytes);
    return changed === this.#bytes ? this : new Body(changed);
  }

  /** Memory behind the bytes, which is freed with them, aligned to 8 bytes; undefined if there is no room. */
  allocate(size: number): { readonly buffer: ArrayBuffer; readonly byteOffset: number } | undefined {
    const { buffer } = this.bytes;
    const byteOffset = Math.ceil(this.#unused / 8) * 8;
    if (byteOffset + size > buffer.byteLength) return undefined;
    this.#unused = byteOffset + size;
    return { buffer: buffer as ArrayBuffer, byteOffset };
  }

  /** Frees the bytes; no point may be read afterwards. */
  free(): void {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    if (bytes && this.#ownsMemory) freeMemory(bytes.buffer as ArrayBuffer);
  }
}

/**
 * Frees unused memory at once; V8 would keep it until a full garbage collection. Memory sent to a closed port has no
 * owner any more (`ArrayBuffer.transfer` needs Node 22). @throws if the memory is shared, as that of small buffers is.
 */
function freeMemory(memory: ArrayBuffer): void {
  const { port1 } = new MessageChannel();
  port1.close();
  port1.postMessage(memory, [memory]);
}
