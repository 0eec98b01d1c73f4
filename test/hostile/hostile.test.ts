/**
 * Random bodies that only a hostile or broken service sends: the command ends with what a simple reader makes of the
 * body, or with the right exit code; none of it acts on the terminal or damages the old file.
 *
 *     ENTS_TEST_SEED=<seed> ENTS_TEST_RUNS=1 npx vitest run test/hostile
 *
 * tries only the body of that seed.
 */
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOKEN } from "../e2e/envelopes.ts";
import { SEED } from "../support/random.ts";
import { createChance } from "../support/chance.ts";
import { draws } from "../support/extent.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import { generateAnswer, type HostileAnswer } from "./generate.ts";
import { findFault, findSyntaxFault, type PlainOutput } from "./print-plainly.ts";
import { MAX_BODY, readAnswer, type Reading } from "./read-plainly.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

const BODIES = Number(process.env["ENTS_TEST_RUNS"] ?? draws(30, 10_000));
const BODIES_A_PART = Math.min(BODIES, 100);
const OLD = "what was there before\n";

const server = createServer((request, response) => {
  const [, seed, day = 1] = /^[/](\d+)[/].*?(?:date_start=2025-01-0(\d)|$)/.exec(request.url ?? "") ?? [];
  const { status, headers, chunked, bytes } = generateAnswer(Number(seed) + (Number(day) - 1) * 1_000_000_007);
  response.writeHead(status, { ...headers, ...(chunked ? {} : { "content-length": String(bytes.length) }) });
  response.end(bytes);
});
let watchdog: Watchdog;

beforeAll(async () => {
  watchdog = startWatchdog(PATIENCE_MS);
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  watchdog.stop();
  server.close();
  server.closeAllConnections();
});

test.for(Array.from({ length: BODIES / BODIES_A_PART }, (_, part) => SEED + part * BODIES_A_PART))(
  `${BODIES_A_PART} bodies from seed %i on`,
  async (first) => {
    const home = createHome();
    const faults: string[] = [];
    for (let seed = first; seed < first + BODIES_A_PART; seed++) faults.push(...(await tryBody(home, seed)));
    expect(faults).toEqual([]);
    expect(Object.prototype).not.toHaveProperty("polluted");
  },
);

interface Attempt extends PlainOutput {
  readonly args: readonly string[];
  readonly toFile: boolean;
  /** Several requests with different responses; the model does not predict their result. */
  readonly several: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
}

function chooseAttempt(seed: number): Omit<Attempt, "format"> & { readonly format: PlainOutput["format"] | "table" } {
  const chance = createChance(-seed);
  const [command, metrics] = chance.pick([
    ["network", ["power"]],
    ["network", ["price", "power"]],
    ["facilities", ["energy", "power"]],
    ["market", ["price"]],
  ] as const);
  const format = chance.pick(["csv", "csv", "tsv", "ndjson", "ndjson", "json", "table"] as const);
  const shape = format === "json" ? "long" : chance.pick(["long", "long", "wide", "wide"] as const);
  const pivot = shape === "wide" && chance.oneIn(2) ? (command === "facilities" ? "unit_code" : "region") : undefined;
  const zone = format !== "json" && chance.oneIn(4) ? "utc" : "network";
  const toFile = chance.oneIn(2);
  const columns = !toFile && chance.oneIn(4) ? 100 : undefined;
  const args = [
    command,
    "NEM",
    "-m",
    ...metrics,
    "-f",
    format,
    "--retries",
    "1",
    "--no-progress",
    "--max-body",
    `${MAX_BODY / 1024 / 1024}MiB`,
  ];
  if (pivot !== undefined) args.push("--pivot", pivot);
  else if (shape === "wide") args.push("--shape", "wide");
  if (pivot === "region") args.push("-g", "region");
  if (zone === "utc") args.push("--time-zone", "utc");
  if (toFile) args.push("-o", "old");
  if (chance.oneIn(4)) args.push("-v");
  const several = chance.oneIn(6);
  if (several) args.push("-i", "1h", "-s", "2025-01-01", "-e", "2025-01-03", "--max-window", "1d", "--rate", "1000");
  return { args, metrics, format, shape, pivot, zone, toFile, several, ...(columns === undefined ? {} : { columns }) };
}

/** What is wrong with how a command handled the body of a seed; names the seed. */
async function tryBody(home: Home, seed: number): Promise<string[]> {
  const answer = generateAnswer(seed);
  const attempt = chooseAttempt(seed);
  const old = home.path("old");
  writeFileSync(old, OLD);
  watchdog.watch(seed);
  const env = {
    ENTS_TOKEN: TOKEN,
    ENTS_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${seed}`,
  };
  const run = await home.run(attempt.args, {
    env,
    ...(attempt.columns === undefined ? {} : { columns: attempt.columns }),
  });
  watchdog.rest();
  const written = existsSync(old) ? readFileSync(old, "utf8") : "(no file)";
  for (const path of [old, `${old}.ents`]) rmSync(path, { recursive: true, force: true });
  const faults = [...findRunFaults(run, attempt), ...findOutputFaults(run, { answer, attempt, written })];
  const provenance = `seed ${seed}: ents ${attempt.args.join(" ")} (${answer.made.join(", ")}): exit ${run.code}`;
  return faults.map((fault) => `${provenance}: ${fault}`);
}

/** What must hold for every run. */
function findRunFaults({ code, stdout, stderr }: Run, { toFile, several, columns }: Omit<Attempt, "format">): string[] {
  const faults: string[] = [];
  const say = (is: boolean, fault: string) => void (is && faults.push(`${fault}: ${stderr.slice(0, 500)}`));
  say(![0, 3, 4, 5, ...(toFile ? [7] : [])].includes(code ?? -1), "another code");
  say(stderr.includes(TOKEN), "the token on standard error");
  say(/[^\P{Cc}\n]/u.test(stderr), "control characters on standard error");
  say(!/^((ents: | {6})[^\n]*\n)*$/.test(stderr), "lines on standard error that are not ents'");
  say(code !== 0 && !/^ents: (?!note|warning)/m.test(stderr), "no error");
  say(Math.max(...stderr.split("\n").map((line) => line.length)) > 3000 || stderr.length > 20_000, "a flood");
  say((toFile || (code !== 0 && !several)) && stdout !== "", "something on standard output");
  // The table's own colours are allowed.
  say(
    columns !== undefined && /[^\P{Cc}\n\t]/u.test(stdout.replaceAll(/\u001b\[\d+m/g, "")),
    "control characters on a terminal",
  );
  return faults;
}

interface Outcome {
  readonly answer: HostileAnswer;
  readonly attempt: ReturnType<typeof chooseAttempt>;
  readonly written: string;
}

/** What must hold for this body. */
function findOutputFaults({ code, stdout, stderr }: Run, { answer, attempt, written }: Outcome): string[] {
  const { toFile, several, format, columns } = attempt;
  if (code !== 0 && toFile && written !== OLD) return ["the old file changed"];
  const reading = several ? ANYTHING : readAnswer(answer);
  const codes = listCodes(reading, attempt);
  if (code === null || !codes.includes(code)) return [`should be ${codes.join(" or ")}: ${stderr.slice(0, 500)}`];
  // A terminal gets escaped control characters, and tables are rounded; neither can be compared.
  if (code !== 0 || format === "table" || columns !== undefined) return [];
  const text = toFile ? written : stdout;
  const fault = several
    ? findSyntaxFault(text, { ...attempt, format })
    : findFault(text, reading, { ...attempt, format });
  return fault === undefined ? [] : [fault];
}

/**
 * An output without rows never replaces the old file (exit 7). For json, a body of an unknown shape may have no points
 * and still be data.
 */
function listCodes(
  { rows, json, points }: Reading,
  { format, toFile }: Pick<Outcome["attempt"], "format" | "toFile">,
): readonly number[] {
  const codes = format === "json" ? json : rows;
  if (!toFile || !codes.includes(0) || (points && points.length > 0)) return codes;
  return points && format !== "json" ? [...codes.filter((code) => code !== 0), 7] : [...codes, 7];
}

const ANYTHING: Reading = { rows: [0, 3, 4, 5], json: [0, 3, 4, 5] };
