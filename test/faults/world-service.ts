/** The made-up network behind a scripted service that can play a fault at any request of an export. */
import { type Answer, type ReceivedRequest, type ScriptedService, startService } from "../support/scripted-service.ts";
import { createHome, type Home, type Run, type RunOptions, type Started } from "../support/run-ents.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { answerQuery, HOUR, hours, JANUARY, moment, readMoment, type World, WORLD } from "./world.ts";

/** A request, as the world sees it. */
export interface Asking {
  /** By its `date_start`; 0 is the first window of the export. */
  readonly piece: number;
  /** Counts the requests for this path; the first is 1. */
  readonly attempt: number;
  readonly request: ReceivedRequest;
  /** The correct answer. */
  readonly good: Answer;
}

/** Another answer to a request; undefined for the correct one. */
export type Play = (asking: Asking) => Answer | undefined;

export interface WorldServiceOptions {
  readonly world?: Partial<World>;
  readonly play?: Play;
  /** How the service says that it has no data. */
  readonly noData?: Answer;
}

const NO_DATA = refusal(404, "No data available for the given parameters");

export function startWorldService({
  world,
  play,
  noData = NO_DATA,
}: WorldServiceOptions = {}): Promise<ScriptedService> {
  const whole = { ...WORLD, ...world };
  const attempts = new Map<string, number>();
  return startService((request) => {
    const attempt = (attempts.get(request.url) ?? 0) + 1;
    attempts.set(request.url, attempt);
    const body = answerQuery(whole, request.url);
    const good = body === undefined ? noData : { body, headers: { "content-type": "application/json" } };
    return play?.({ piece: findPiece(request.url), attempt, request, good }) ?? good;
  });
}

function findPiece(url: string): number {
  const start = readMoment(new URL(url, "http://localhost").searchParams.get("date_start"));
  return Math.floor(((start ?? JANUARY) - JANUARY) / HOUR);
}

/** The length of a request's window, in milliseconds. */
export function lengthOf({ url }: ReceivedRequest): number {
  const query = new URL(url, "http://localhost").searchParams;
  return (readMoment(query.get("date_end")) ?? Number.NaN) - (readMoment(query.get("date_start")) ?? Number.NaN);
}

export const PIECES = 7;
/** Seven hours at five minutes; with {@link CUT}, seven requests. */
export const QUERY = [
  "network",
  "NEM",
  "-m",
  "power",
  "energy",
  "-i",
  "5m",
  "-s",
  moment(JANUARY),
  "-e",
  moment(hours(PIECES) - 1000),
];
export const CUT = ["--max-window", "1h", "--rate", "1000"];
export const WHOLE = ["--max-window", "none"];

export const OUT = "old.csv";

export interface Asker {
  readonly home?: Home;
  readonly service: ScriptedService;
  readonly token?: string;
}

export function runIn(
  { home = createHome(), service, token = TOKEN }: Asker,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Run> {
  return home.run(args, { env: envFor(service, token), ...options });
}

/** The real binary. */
export function startIn({ home = createHome(), service, token = TOKEN }: Asker, args: readonly string[]): Started {
  return home.start(args, { env: envFor(service, token) });
}

export function envFor({ url }: ScriptedService, token: string = TOKEN): Record<string, string> {
  return { ENTS_TOKEN: token, ENTS_BASE_URL: url };
}

/** The output of one request to a service without limits or faults. */
export async function fetchWhole(
  query: readonly string[],
  flags: readonly string[],
  world?: Partial<World>,
): Promise<string> {
  const service = await startWorldService(world ? { world } : {});
  const run = await runIn({ service }, [...query, ...flags, ...WHOLE]);
  if (run.code !== 0 || service.requests.length !== 1) throw new Error(`no whole answer: ${run.stderr}`);
  await service.close();
  return run.stdout;
}
