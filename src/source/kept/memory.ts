import type { Response } from "../response.ts";
import type { AnswerStore } from "./keep-answers.ts";

/** Packed: the tail of an update takes a tenth of it. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The first answers of a run, up to 16 MiB. */
export function createMemoryStore(): AnswerStore {
  const answers = new Map<string, Response>();
  let bytes = 0;
  return {
    find: async ({ path }) => answers.get(path),
    keep: async ({ path }, response) => {
      if (bytes + response.bytes.length > MAX_BYTES) return;
      bytes += response.bytes.length;
      answers.set(path, response);
    },
    drop: async ({ path }) => {
      answers.delete(path);
    },
  };
}
