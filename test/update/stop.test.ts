/** A signal during local work ends an update there and then: nothing more is read or written, and the file is the old one. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { Interrupted } from "../../src/base/errors.ts";
import { TOKEN } from "../e2e/envelopes.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { createNights, FILE, type Nights, QUERY, REGIONS } from "./nights.ts";

let onCall: ((call: FileCall) => void) | undefined;
await watchFileCalls((call) => onCall?.(call));

beforeEach(() => {
  onCall = undefined;
});

const LOG = "log.csv";
const DESCRIPTION = `${FILE}.datapackage.json`;

interface Work {
  readonly flags?: readonly string[];
  readonly arrange?: (nights: Nights) => void;
  /** The call that it begins with. The file is opened for its state, its hash and copy, its form, the place of its last rows, and to be scanned. */
  readonly starts: (call: FileCall) => boolean;
  /** Calls that may still come, but for those of its permissions, to remove a temporary file, and of a lock's timer. */
  readonly after: readonly string[];
}

function onCallNumber(number: number, isSuch: Work["starts"]): Work["starts"] {
  let count = 0;
  return (call) => isSuch(call) && ++count === number;
}

const isOpened = ({ name, path }: FileCall) => name === "open" && path.endsWith(FILE);

const WORKS: Record<string, Work> = {
  "the hash and the copy of the old file": { starts: onCallNumber(2, isOpened), after: [] },
  "the scan of a file without a description": {
    arrange: ({ home }) => rmSync(home.path(DESCRIPTION)),
    starts: onCallNumber(5, isOpened),
    after: [],
  },
  "rows that are rewritten for another column": {
    flags: ["--pivot", "region"],
    arrange: ({ world }) => {
      const more = REGIONS.map((one) => ({ ...one, labels: { region: "TAS1" } })).slice(0, 1);
      world.model = { ...world.model, series: [...REGIONS, ...more] };
    },
    // The first takes away the rows that are replaced.
    starts: onCallNumber(2, ({ name, path }) => name === "truncate" && path.includes("ents-tmp")),
    after: ["appendFile", "open"],
  },
  "changes on their way into the log": {
    flags: ["--changes", LOG],
    arrange: (nights) => restate(nights, "seen_at,timestamp,network,metric,region,old,new\n"),
    // To see what it has, twice, and to add to it.
    starts: onCallNumber(3, ({ name, path }) => name === "open" && path.endsWith(LOG)),
    after: ["open", "truncate"],
  },
  "a log that is rewritten for another column": {
    flags: ["--changes", LOG],
    arrange: (nights) => restate(nights, "seen_at,timestamp,network,metric,old,new\n"),
    starts: ({ name, path }) => name === "open" && path.includes(LOG) && path.endsWith("ents-tmp"),
    after: ["open"],
  },
};

function restate({ home, world }: Nights, log: string): void {
  writeFileSync(home.path(LOG), log);
  world.model = { ...world.model, series: REGIONS.map((one) => ({ ...one, base: one.base + 10 })) };
}

/** Runs an update that is stopped at a call. Returns the calls that came after that, too. */
async function stopAt({ home, service, world }: Nights, starts: Work["starts"], flags: readonly string[]) {
  const stop = new AbortController();
  const calls: string[] = [];
  onCall = (call) => {
    const isRemoved = call.name === "rm" || (call.name === "truncate" && call.path.endsWith("ents-tmp"));
    if (stop.signal.aborted && !isRemoved) calls.push(call.name);
    else if (starts(call)) stop.abort(new Interrupted("SIGINT"));
  };
  const run = await home.run([...QUERY, "-o", FILE, "--update", "--rate", "1000", ...flags], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    clock: { now: () => world.now },
    signal: stop.signal,
  });
  onCall = undefined;
  return { ...run, calls };
}

test.each(Object.entries(WORKS))("%s", async (_, { flags = [], arrange, starts, after }) => {
  const nights = await createNights(flags);
  arrange?.(nights);
  const before = readdirSync(nights.home.folder);
  const old = nights.read();
  const { code, stderr, calls } = await stopAt(nights, starts, ["--no-resume", ...flags]);
  expect([code, stderr.includes("cannot"), calls.filter((name) => name !== "chown" && name !== "lutimes")]).toEqual([130, false, after]);
  expect([readdirSync(nights.home.folder), nights.read()]).toEqual([before, old]);
});

test.each([
  ["on their way into the log", "region,", 3],
  ["before the log has their columns", "", 2],
])("changes %s: the way to go on is told", async (_, labels, number) => {
  const nights = await createNights();
  restate(nights, `seen_at,timestamp,network,metric,${labels}old,new\n`);
  const starts = onCallNumber(number, ({ name, path }) => name === "open" && path.endsWith(LOG));
  const { code, stderr } = await stopAt(nights, starts, ["--changes", LOG, "--max-window", "2d"]);
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/^ents: note: stopped; (\d) of \1 requests are done .kept in power\.csv\.ents-partial/),
  ]);
});
