/** Looks into the folder of kept answers. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusal } from "../e2e/envelopes.ts";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { CUT, OUT, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import type { Home } from "../support/run-ents.ts";
import type { ScriptedService } from "../support/scripted-service.ts";

export const PARTIAL = partialOf(OUT);
/** Seven requests into the old file. */
export const COMMAND = [...QUERY, ...CUT, "-o", OUT];

export function partialOf(output: string): string {
  return `${output}.ents`;
}

/** The paths of the kept answers. */
export function listKept(home: Home, output = OUT): string[] {
  const folder = home.path(partialOf(output));
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json.gz"))
    .sort()
    .map((name) => join(folder, name));
}

export interface Stopped {
  readonly home: Home;
  readonly service: ScriptedService;
  /** Requests so far. */
  readonly before: number;
}

/** An export whose quota ran out after this many requests; from now on the service answers all. */
export async function stopAfter(pieces: number, command: readonly string[] = COMMAND, output = OUT): Promise<Stopped> {
  let spent = true;
  const service = await startWorldService({
    play: ({ piece }) => (spent && piece >= pieces ? refusal(401, "Authentication failed") : undefined),
  });
  const home = createHomeWithFile();
  const { code, stderr } = await runIn({ home, service }, [...command, "--concurrency", "1"]);
  if (code !== 3 || listKept(home, output).length !== pieces)
    throw new Error(`not stopped after ${pieces} pieces: ${stderr}`);
  spent = false;
  return { home, service, before: service.requests.length };
}

export function writeOld(home: Home, text: string, output = OUT): void {
  writeFileSync(home.path(output), text);
}
