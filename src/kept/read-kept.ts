import { DEFAULTS, readResponse } from "../source/read-response.ts";
import type { AnswerStore } from "../source/kept/keep-answers.ts";
import type { Source } from "../source/source.ts";

/** Answers that are at hand, as they are. One that is gone or damaged since is had from the other source. */
export function readKept(store: Pick<AnswerStore, "find">, otherwise: Source): Source {
  return {
    send: async (request, signal) => {
      const response = await store.find(request);
      if (!response) return otherwise.send(request, signal);
      const isOpen = request.endsBy === undefined;
      return {
        response,
        kept: "checkpoint",
        read: async () => ({ response, answer: await readResponse(response, { ...DEFAULTS, isOpen }) }),
      };
    },
  };
}
