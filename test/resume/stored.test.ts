/** A complete kept answer is reused by any command that needs it; a damaged one is requested again. */
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { HOUR } from "../faults/world.ts";
import { CUT, fetchWhole, lengthOf, OUT, PIECES, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import { createGate } from "../support/gate.ts";
import { some } from "../support/extent.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { COMMAND, listKept, PARTIAL, stopAfter } from "./partial.ts";

const KEPT = 4;
const whole = fetchWhole(QUERY, ["-f", "csv"]);
/** Damage at the start is noticed at once, other damage when the response is read. */
const RESUMING = new RegExp(
  `^ents: note: resuming: [${KEPT - 1}${KEPT}] of ${PIECES} requests are already done \\(kept in ${PARTIAL}\\)\n$`,
);

const OTHERS = `ents: warning: ${PARTIAL} has ${KEPT} finished requests of another export, to be deleted when this one is done\n`;

const DAMAGES: Readonly<Record<string, (file: string, other: string) => void>> = {
  "cut by one byte": (file) => truncateSync(file, readFileSync(file).length - 1),
  garbage: (file) => writeFileSync(file, "\u0000garbage\n{"),
  "a byte longer": (file) => writeFileSync(file, "x", { flag: "a" }),
  // Still JSON of the right length: only the checksum shows it.
  "wrong in one digit": (file) =>
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/\d(?=\.\d\d\])/, (digit) => String(9 - Number(digit))),
    ),
  "another request's": (file, other) => copyFileSync(other, file),
  "cut in half": (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
  empty: (file) => truncateSync(file, 0),
  ...Object.fromEntries([0.01, 0.6].map((at) => [`flipped at ${at}`, (file: string) => flip(file, at)])),
};

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  const index = Math.floor(bytes.length * at);
  bytes[index] = (bytes[index] ?? 0) ^ 0x04;
  writeFileSync(file, bytes);
}

test.concurrent.for(some(5, Object.entries(DAMAGES)))(
  "a response that is %s is fetched again, the others are not",
  async ([name, damage]) => {
    const { home, service, before } = await stopAfter(KEPT);
    const files = listKept(home);
    const index = name.length % KEPT;
    damage(files[index] ?? "", files[(index + 1) % KEPT] ?? "");
    expect(await runIn({ home, service }, COMMAND)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(RESUMING) as string,
    });
    expectFinished(home, await whole);
    expect(service.requests).toHaveLength(before + PIECES - KEPT + 1);
  },
);

const SLOWER = COMMAND.map((word) => (word === "1000" ? "500" : word));
const PACES: Readonly<Record<string, { readonly command: readonly string[]; readonly token?: string }>> = {
  "another pace": { command: [...SLOWER, "--concurrency", "2", "--retries", "1", "--timeout", "5s"] },
  "another token": { command: COMMAND, token: "another-token" },
  "less talk": { command: [...COMMAND, "-q"] },
};

test.concurrent.for(Object.entries(PACES))("%s is the same command", async ([, { command, ...asker }]) => {
  const { home, service, before } = await stopAfter(KEPT);
  expect(await runIn({ home, service, ...asker }, command)).toMatchObject({ code: 0 });
  expectFinished(home, await whole);
  expect(service.requests).toHaveLength(before + PIECES - KEPT);
});

const OUTPUTS: readonly (readonly string[])[] = [
  ["-f", "ndjson"],
  ["--shape", "wide"],
  ["--no-header"],
  ["--time-format", "unix"],
];

test.concurrent.for(some(2, OUTPUTS))("another output of the same requests (%s %s) uses them", async (flags) => {
  const { home, service, before } = await stopAfter(KEPT);
  expect(await runIn({ home, service }, [...COMMAND, ...flags])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(RESUMING) as string,
  });
  expectFinished(home, await fetchWhole(QUERY, flags.includes("-f") ? flags : ["-f", "csv", ...flags]));
  expect(service.requests).toHaveLength(before + PIECES - KEPT);
});

test.concurrent("other requests use none of them, and they are gone once the output is there", async () => {
  const { home, service, before } = await stopAfter(KEPT);
  expect(await runIn({ home, service }, [...COMMAND, "--fueltech", "wind"])).toMatchObject({ code: 0, stderr: OTHERS });
  expectFinished(home, await fetchWhole(QUERY, ["-f", "csv", "--fueltech", "wind"]));
  expect(service.requests).toHaveLength(before + PIECES);
});

test.concurrent("they stay through other requests that fail, and are used later", async () => {
  const { home, service, before } = await stopAfter(KEPT);
  const down = await startWorldService({ play: () => refusal(400, "Unknown network") });
  expect(await runIn({ home, service: down }, [...COMMAND, "--fueltech", "wind"])).toMatchObject({ code: 4 });
  expect(listKept(home)).toHaveLength(KEPT);
  expect(await runIn({ home, service }, COMMAND)).toMatchObject({ code: 0 });
  expectFinished(home, await whole);
  expect(service.requests).toHaveLength(before + PIECES - KEPT);
});

test.concurrent("those of another service are not used", async () => {
  const { home } = await stopAfter(KEPT);
  const other = await startWorldService();
  expect(await runIn({ home, service: other }, COMMAND)).toMatchObject({ code: 0, stderr: OTHERS });
  expectFinished(home, await whole);
  expect(other.requests).toHaveLength(PIECES);
});

test.concurrent("--no-resume neither uses nor stores responses", async () => {
  const { home, service, before } = await stopAfter(KEPT);
  expect(await runIn({ home, service }, [...COMMAND, "--no-resume"])).toEqual({
    code: 0,
    signal: null,
    stdout: "",
    stderr: "",
  });
  expectFinished(home, await whole);
  expect(service.requests).toHaveLength(before + PIECES);

  const gate = createGate();
  const slow = await startWorldService({
    play: ({ piece, good }) => (piece === 4 ? { ...good, after: gate.opened } : undefined),
  });
  const finished = runIn({ home, service: slow }, [...COMMAND, "--no-resume", "--concurrency", "1"]);
  await Promise.race([slow.received(5), finished]);
  expect(listKept(home)).toEqual([]);
  gate.open();
  expect(await finished).toMatchObject({ code: 0 });
  expectFinished(home, await whole);
});

test.concurrent("one request stores nothing, and neither does standard output", async () => {
  const home = createHome();
  const gate = createGate();
  const service = await startWorldService({
    play: ({ good, piece }) => (piece === 1 ? good : { ...good, after: gate.opened }),
  });
  const one = runIn({ home, service }, [...QUERY, "--max-window", "none", "-o", "one.csv"]);
  const many = runIn({ home, service }, [...QUERY, ...CUT, "-f", "csv"]);
  // The first request of both commands, and three more of the second.
  await service.received(5);
  expect(readdirSync(home.folder).filter((name) => name.endsWith(".ents"))).toEqual([]);
  gate.open();
  expect((await Promise.all([one, many])).map(({ code }) => code)).toEqual([0, 0]);
  expect(readdirSync(home.folder)).toEqual(["one.csv"]);
});

function expectFinished(home: Home, text: string): void {
  expect(readFileSync(home.path(OUT), "utf8")).toBe(text);
  expect(readdirSync(home.folder)).toEqual([OUT]);
}

test("a limit found by a refusal, with one request left: after success nothing is stored, and the next run asks for everything", async () => {
  const limit = refusal(400, "Date range too large for 5m interval. Maximum range is 1 hour.");
  let spent = true;
  const service = await startWorldService({
    play: ({ piece, request }) => {
      if (lengthOf(request) > HOUR) return limit;
      return spent && piece === PIECES - 1 ? refusal(401, "Authentication failed") : undefined;
    },
  });
  const home = createHomeWithFile();
  const run = () => runIn({ home, service }, [...QUERY, "-o", OUT, "--rate", "1000", "--concurrency", "1"]);
  expect(await run()).toMatchObject({ code: 3 });
  expect(listKept(home)).toHaveLength(PIECES - 1);
  spent = false;
  expect(await run()).toMatchObject({ code: 0 });
  expectFinished(home, await whole);
  const before = service.requests.length;
  expect(await run()).toMatchObject({ code: 0 });
  expect(service.requests).toHaveLength(before + 1 + PIECES);
});
