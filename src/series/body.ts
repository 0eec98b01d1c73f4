/** The bytes of an answer, from which its points are read. */

/** Less memory than this is left to V8; and Node shares one buffer among small ones. */
const MIN_FREED_BYTES = 64 * 1024;

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

  /** No point is read any more. V8 would hold the memory until it collects all of its heap, which a large export does not wait for. */
  free(): void {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    if (bytes && this.#ownsMemory && bytes.length >= MIN_FREED_BYTES) discard(bytes.buffer as ArrayBuffer);
  }
}

type Port = InstanceType<typeof MessageChannel>["port1"];

let nowhere: Port | undefined;

/** Frees memory at once: what is transferred to a closed port belongs to nobody (`ArrayBuffer.transfer` came with Node 22). */
function discard(memory: ArrayBuffer): void {
  nowhere ??= openNowhere();
  nowhere.postMessage(memory, [memory]);
}

function openNowhere(): Port {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  return port1;
}
