/**
 * Types of flechette's internal modules, each of which encodes one message: the package only has types for its index.
 */
declare module "@uwdata/flechette/src/encode/builder.js" {
  /** Writes bytes, and the messages that the functions of the other modules build in it. */
  class Builder {
    constructor(sink: { readonly write: (bytes: Uint8Array) => void });
    /** Writes bytes, padded to a multiple of 8. */
    addBuffer(bytes: Uint8Array): void;
  }
}

declare module "@uwdata/flechette/src/encode/message.js" {
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js";

  interface Block {
    readonly offset: number;
    readonly metadataLength: number;
    readonly bodyLength: number;
  }
  /** `content`: the return value of the message's encoder. */
  function writeMessage(
    ...message: [builder: Builder, type: number, content: number, bodyLength: number, blocks?: Block[]]
  ): void;
}

declare module "@uwdata/flechette/src/encode/record-batch.js" {
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js";

  interface RecordBatch {
    readonly byteLength: number;
    readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
    readonly regions: readonly { readonly offset: number; readonly length: number }[];
    readonly buffers: readonly Uint8Array[];
    readonly variadic: readonly number[];
  }
  function encodeRecordBatch(builder: Builder, batch: RecordBatch): number;
}

declare module "@uwdata/flechette/src/encode/dictionary-batch.js" {
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js";
  import type { RecordBatch } from "@uwdata/flechette/src/encode/record-batch.js";

  function encodeDictionaryBatch(
    builder: Builder,
    batch: { readonly id: number; readonly isDelta: boolean; readonly data: RecordBatch },
  ): number;
}

declare module "@uwdata/flechette/src/encode/schema.js" {
  import type { Schema } from "@uwdata/flechette";
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js";

  function encodeSchema(builder: Builder, schema: Schema): number;
}

declare module "@uwdata/flechette/src/encode/footer.js" {
  import type { Schema } from "@uwdata/flechette";
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js";
  import type { Block } from "@uwdata/flechette/src/encode/message.js";

  function writeFooter(...footer: [builder: Builder, schema: Schema, dictionaries: Block[], records: Block[]]): void;
}

declare module "@uwdata/flechette/src/constants.js" {
  const MAGIC: Uint8Array;
  const EOS: Uint8Array;
  const MessageHeader: { readonly Schema: 1; readonly DictionaryBatch: 2; readonly RecordBatch: 3 };
}
