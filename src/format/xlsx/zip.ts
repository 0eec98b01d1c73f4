import { once } from "node:events";
import { PassThrough } from "node:stream";
import { ZipFile } from "yazl";

/** The first time that a zip file can hold: the same bytes whenever it is written. */
const OPTIONS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** A zip file in parts. */
export class ZipWriter {
  readonly #zip = new ZipFile();
  readonly #parts: Uint8Array[] = [];

  constructor() {
    this.#zip.outputStream.on("data", (part: Buffer) => this.#parts.push(part));
  }

  add(path: string, text: string): void {
    this.#zip.addBuffer(Buffer.from(text), path, OPTIONS);
  }

  /** A file whose text comes in parts; the files added after it wait for its end. */
  open(path: string): PassThrough {
    const file = new PassThrough();
    this.#zip.addReadStream(file, path, OPTIONS);
    return file;
  }

  /** Writes to an open file; resolves with what is compressed by then. */
  async write(file: PassThrough, text: string): Promise<Uint8Array[]> {
    await new Promise<void>((resolve, reject) => file.write(text, (error) => (error ? reject(error) : resolve())));
    return this.#parts.splice(0);
  }

  /** The rest of the zip file. */
  async end(): Promise<Uint8Array[]> {
    this.#zip.end();
    await once(this.#zip.outputStream, "end");
    return this.#parts;
  }
}
