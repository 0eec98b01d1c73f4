/** Smaller buffers are left to the garbage collector; Node allocates small ones from a shared pool. */
const MIN_FREED_BYTES = 64 * 1024;

/** The bytes of a response body, from which points are decoded. */
export class Body {
  #bytes: Buffer | undefined;
  readonly #ownsMemory: boolean;

  /** `ownsMemory`: true if nothing else uses the underlying memory. */
  constructor(bytes: Buffer, ownsMemory = false) {
    this.#bytes = bytes;
    this.#ownsMemory = ownsMemory;
  }

  get bytes(): Buffer {
    if (this.#bytes === undefined) throw new Error("a point is read after its body was freed");
    return this.#bytes;
  }

  /** Applies `change` to the bytes; returns this body if `change` returns the same buffer. */
  map(change: (bytes: Buffer) => Buffer): Body {
    const changed = change(this.bytes);
    return changed === this.#bytes ? this : new Body(changed);
  }

  /** Frees the bytes; no point may be read afterwards. */
  free(): void {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    if (bytes && this.#ownsMemory && bytes.length >= MIN_FREED_BYTES) freeMemory(bytes.buffer as ArrayBuffer);
  }
}

/**
 * Frees unused memory within a turn of the event loop; V8 would keep it until a full garbage collection. Memory transferred to a
 * closed port has no owner (`ArrayBuffer.transfer` needs Node 22).
 * @throws if the memory is shared, as that of small buffers is.
 */
function freeMemory(memory: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(memory, [memory]);
}
