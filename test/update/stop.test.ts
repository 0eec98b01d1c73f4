/** A signal during local work ends an update there and then: nothing more is read or written, and the file is the old one. */
import { readdirSync, rmSync } from "node:fs";
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

const DESCRIPTION = `${FILE}.datapackage.json`;

interface Work {
  readonly flags?: readonly string[];
  readonly arrange?: (nights: Nights) => void;
  /** The call that it begins with. The file is opened for its state, its hash, its form, the place of its last rows, and to be scanned. */
  readonly starts: (call: FileCall) => boolean;
  /** Calls that may still come, but for those that close and remove files. */
  readonly after: readonly string[];
}

function onCallNumber(number: number, isSuch: Work["starts"]): Work["starts"] {
  let count = 0;
  return (call) => isSuch(call) && ++count === number;
}

const isOpened = ({ name, path }: FileCall) => name === "open" && path.endsWith(FILE);

const WORKS: Record<string, Work> = {
  "the hash of the old file": { starts: onCallNumber(2, isOpened), after: [] },
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
};

test.each(Object.entries(WORKS))("%s", async (_, { flags = [], arrange, starts, after }) => {
  const nights = await createNights(flags);
  arrange?.(nights);
  const before = readdirSync(nights.home.folder);
  const old = nights.read();
  const stop = new AbortController();
  const calls: string[] = [];
  onCall = (call) => {
    if (stop.signal.aborted) calls.push(call.name);
    else if (starts(call)) stop.abort(new Interrupted("SIGINT"));
  };
  const { code } = await nights.home.run([...QUERY, "-o", FILE, "--update", "--no-resume", ...flags], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: nights.service.url },
    clock: { now: () => nights.world.now },
    signal: stop.signal,
  });
  onCall = undefined;
  expect([code, stop.signal.aborted, calls.filter((name) => name !== "rm")]).toEqual([130, true, after]);
  expect([readdirSync(nights.home.folder), nights.read()]).toEqual([before, old]);
});
