/**
 * SIGKILL during an update: the file is the old one or the new one, and the next update gives the bytes of a complete
 * export.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { TOKEN } from "../e2e/envelopes.ts";
import { dieAtRename } from "../support/die-at-rename.ts";
import { FULL } from "../support/extent.ts";
import { homeEnv } from "../support/run-ents.ts";
import { createNights, FILE, type Nights, QUERY, REGIONS } from "./nights.ts";
import { type DescribedRequest, dropMarks, expectAllOrigins, markAnswer } from "./origins.ts";

// test/update/history.full.test.ts also ends updates at these points, in this process.
test.runIf(FULL)("when any of its renames is due, that of its description too", async () => {
  const nights = await createMarked();
  const ends: string[] = [];
  for (let rename = 0; !ends.includes("done"); rename++) {
    nights.goTo(11 + rename);
    const before = nights.read();
    const whole = dropMarks(await nights.readWhole());
    const { signal, code } = await start(nights, rename).finished;
    const state = nights.read() === before ? "old" : "new";
    ends.push(signal === "SIGKILL" ? state : "done");
    expect([signal ?? code, dropMarks(nights.read()) === (state === "old" ? dropMarks(before) : whole)]).toEqual([
      signal ?? 0,
      true,
    ]);
    const { code: next, stderr } = await start(nights).finished;
    expect({ next, stderr, same: dropMarks(nights.read()) === whole }).toMatchObject({ next: 0, same: true });
    expect(stderr).not.toContain("description");
    expect(isDescribed(nights)).toBe(true);
    expectOrigins(nights);
  }
  // The renames of the response, the file and the description.
  expect(ends).toEqual(["old", "old", "new", "done"]);
});

const createMarked = () => createNights([], REGIONS, { mark: markAnswer });

/** Found by the description. */
function expectOrigins(nights: Nights): void {
  const { ents } = JSON.parse(nights.read(`${FILE}.datapackage.json`)) as { ents: { requests: DescribedRequest[] } };
  expectAllOrigins(ents.requests, nights.read(), nights.service);
}

/** Runs the real binary on the clock of the night. `dieAt`: the number of the rename before which it is killed. */
function start({ home, world, service }: Nights, dieAt?: number) {
  const clock = `const ahead = ${world.now} - Date.now(), real = Date.now; Date.now = () => real() + ahead;`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(clock)}`;
  const { NODE_OPTIONS, ...dying } = dieAt === undefined ? homeEnv(home.folder) : dieAtRename(home, dieAt);
  const env = { ...dying, ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url, NODE_OPTIONS: `${NODE_OPTIONS} ${preload}` };
  return home.start([...QUERY, "-o", FILE, "--update"], { env });
}

/** Including what killed runs have written. */
function isDescribed(nights: Nights): boolean {
  const { resources } = JSON.parse(nights.read(`${FILE}.datapackage.json`)) as {
    resources: [{ hash: string; rows: number }];
  };
  const rows = nights.read().trimEnd().split("\n").length - 1;
  return (
    resources[0].hash === `sha256:${createHash("sha256").update(nights.read()).digest("hex")}` &&
    resources[0].rows === rows
  );
}
