/** Less memory than this is left to V8; and Node shares one buffer among small ones. */
const MIN_FREED_BYTES = 64 * 1024;

/** The bytes of an answer, from which its points are read. */
export class Body {
  #bytes: Buffer | undefined;
  readonly #ownsMemory: boolean;

  /** `ownsMemory`: nothing else uses the memory of the bytes. */
  constructor(bytes: Buffer, ownsMemory = false) {
    this.#bytes = bytes;
    this.#ownsMemory = ownsMemory;
  }

  get bytes(): Buffer {
    if (this.#bytes === undefined) throw new Error("a point is read after its body was freed");
    return this.#bytes;
  }

  /** The bytes as another function sees them: the same, or a copy. */
  map(change: (bytes: Buffer) => Buffer): Body {
    const changed = change(this.bytes);
    return changed === this.#bytes ? this : new Body(changed);
  }

  /** No point is read any more. */
  free(): void {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    if (bytes && this.#ownsMemory && bytes.length >= MIN_FREED_BYTES) freeMemory(bytes.buffer as ArrayBuffer);
  }
}

/**
 * Frees memory that nothing uses any more, within a turn of the event loop; V8 would hold it until it collects all of its heap.
 * What is transferred to a closed port belongs to nobody (`ArrayBuffer.transfer` came with Node 22).
 * @throws where it is shared, as that of small buffers is.
 */
function freeMemory(memory: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(memory, [memory]);
}
