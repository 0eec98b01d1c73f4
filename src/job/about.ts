import type { About } from "../format/format.ts";
import type { Source } from "../source/source.ts";

/** A source that remembers the requests which it answered, for what an output says of itself. */
export function recordRequests(source: Source): { readonly source: Source; readonly requests: About["requests"] } {
  const paths = new Set<string>();
  return {
    source: {
      send: async (request, signal) => {
        const received = await source.send(request, signal);
        return {
          ...received,
          read: async () => {
            const reading = await received.read();
            paths.add(request.path);
            return reading;
          },
        };
      },
    },
    requests: () => [...paths],
  };
}
