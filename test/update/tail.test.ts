/** Of a large file, an update reads the last rows, and no others. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HOUR } from "../../src/time/local-time.ts";
import { isDue } from "../support/extent.ts";
import { createNights, FILE, type Nights, QUERY, START } from "./nights.ts";

const DESCRIPTION = `${FILE}.datapackage.json`;
/** Before the first one of the file. */
const HOURS = 9000;
const ROWS_AN_HOUR = 40;
/** Far more than an update reads of a file's start. */
const WHOLE_HOURS = 100;
const EARLIER = START - HOURS * HOUR;
const format = (local: number) => new Date(local).toISOString().slice(0, 19);

/** Puts rows before the file's own. Most have a timestamp and are no row: whoever makes cells of one refuses the file. */
function enlarge(nights: Nights): { readonly head: string; readonly command: readonly string[] } {
  const text = nights.read();
  const body = text.indexOf("\n") + 1;
  const rows = Array.from({ length: HOURS }, (_, hour) => {
    const row = `${format(EARLIER + hour * HOUR)}+10:00,NEM,power,MW,NSW1${hour < WHOLE_HOURS ? "," : ";"}1.5\n`;
    return row.repeat(ROWS_AN_HOUR);
  });
  const head = text.slice(0, body) + rows.join("");
  const whole = head + text.slice(body);
  writeFileSync(nights.home.path(FILE), whole);
  const description = JSON.parse(nights.read(DESCRIPTION)) as Description;
  const [resource] = description.resources;
  const hash = `sha256:${createHash("sha256").update(whole).digest("hex")}`;
  Object.assign(resource, { bytes: whole.length, hash, rows: resource.rows + ROWS_AN_HOUR * HOURS });
  description.ents.window.start = format(EARLIER);
  for (const one of description.ents.series) one.first = new Date(EARLIER - 10 * HOUR).toISOString();
  writeFileSync(nights.home.path(DESCRIPTION), JSON.stringify(description));
  return { head, command: [...QUERY.with(7, format(EARLIER)), "-o", FILE, "--update"] };
}

interface Description {
  readonly resources: [{ bytes: number; hash: string; rows: number }];
  readonly ents: { readonly window: { start: string }; readonly series: { first: string }[] };
}

/** All that this process has read and copied, from whatever and in whatever way, in bytes. */
function countRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

test.skipIf(!isDue(process.platform === "linux"))(
  "its bytes are read once for their hash and copied once, and no row is read but the first and the last ones",
  async () => {
    const nights = await createNights();
    // What an update loads is loaded by now.
    await nights.update();
    const { head, command } = enlarge(nights);
    nights.goTo(12);
    const before = countRead();
    expect(await nights.run(...command)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/48 values added, 0 restated, 0 withdrawn/) as string,
    });
    const read = countRead() - before;
    const file = nights.read();
    expect(file.slice(0, head.length) === head).toBe(true);
    expect(file.slice(head.length)).toBe((await nights.readWhole()).slice(head.indexOf("\n") + 1));
    // A quarter for what of the head is hashed again, and for description, answers and probes.
    expect(read / head.length).toBeLessThan(2.25);
  },
);
