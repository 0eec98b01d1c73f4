import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import { refuse } from "../refusal.ts";

export interface SandboxAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Streamed; closed early when the client disconnects. */
  readonly body: Iterable<string> | AsyncIterable<string>;
}

export function answerJson(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): SandboxAnswer {
  return { status, headers, body: [JSON.stringify(value)] };
}

/** Sends the body with backpressure, compressed with gzip if the client accepts it. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: SandboxAnswer,
): Promise<void> {
  const gzipped = acceptsGzip(request.headers["accept-encoding"]);
  response.writeHead(answer.status, {
    "content-type": "application/json",
    vary: "Accept-Encoding",
    ...(gzipped ? { "content-encoding": "gzip" } : {}),
    ...answer.headers,
  });
  const body = Readable.from(answer.body);
  if (gzipped) await pipeline(body, createGzip({ level: constants.Z_BEST_SPEED }), response);
  else await pipeline(body, response);
}

function acceptsGzip(header = ""): boolean {
  return header.split(",").some((offer) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(offer));
}

/** Not a secret: it gives access to synthetic data on this machine only. */
export const TOKEN = "sandbox-token";

/** Whether a path ignores, reads or requires a token, as on the public service. */
export type TokenRule = "public" | "optional" | "required";

export type Caller = "key" | "anonymous";

/** @throws {SandboxRefusal} 401: a wrong token, unless the path ignores tokens; 403: a required token is missing. */
export function identify(header: string | undefined, access: TokenRule): Caller {
  if (access === "public") return "anonymous";
  const [scheme, token] = header?.split(/\s+/, 2) ?? [];
  if (scheme?.toLowerCase() === "bearer" && token) {
    if (token !== TOKEN) throw refuse(401, "Authentication failed", { "www-authenticate": "Bearer" });
    return "key";
  }
  if (access === "required") throw refuse(403, "Not authenticated");
  return "anonymous";
}
