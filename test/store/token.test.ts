/** If the service echoes the token, no file that ents writes contains it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { CUT, PIECES, type Play, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import { createHome, type Home } from "../support/run-ents.ts";

/** Echoes in the version, in an unknown field, and in names. */
const echoes =
  (gzip: boolean): Play =>
  ({ good }) => ({
    ...good,
    gzip,
    body: (good.body as string)
      .replace(/(?<="version":")[^"]*/, TOKEN)
      .replace('"success"', `"more":["${TOKEN}"],"success"`)
      .replaceAll(/(?<="columns":\{)/g, `"echo":"${TOKEN}",`)
      .replaceAll('",}', '"}'),
  });

/** All files of a home, with the bodies of responses decompressed. */
function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path))
    .map((bytes) => {
      const start = bytes.indexOf(Buffer.from([0x1f, 0x8b]));
      return bytes.toString("latin1") + (start < 0 ? "" : gunzipSync(bytes.subarray(start)).toString("latin1"));
    })
    .join("\n");
}

function countKept(home: Home): number {
  return readdirSync(home.folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json.gz"))
    .length;
}

test.each([true, false])(
  "the cache has the mark in its place, and its responses are used (compressed: %s)",
  async (gzip) => {
    const asker = { home: createHome(), service: await startWorldService({ play: echoes(gzip) }) };
    const command = [...QUERY, ...CUT, "-f", "json", "--cache", "12h", "-q"];
    const first = await runIn(asker, command);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("***");
    expect(await runIn(asker, command)).toEqual(first);
    expect([asker.service.requests.length, countKept(asker.home)]).toEqual([PIECES, PIECES]);
    expect(first.stdout + readAll(asker.home.folder)).not.toContain(TOKEN);
  },
);

test.each([true, false])("so have the checkpoint, the output and its description (compressed: %s)", async (gzip) => {
  let last = 3;
  const echo = echoes(gzip);
  const play: Play = (asking) => (asking.piece < last ? echo(asking) : refusal(403, `no ${TOKEN}`));
  const asker = { home: createHome(), service: await startWorldService({ play }) };
  const command = [...QUERY, ...CUT, "-o", "x.csv", "--datapackage", "--concurrency", "1"];
  const stopped = await runIn(asker, command);
  expect([stopped.code, countKept(asker.home)]).toEqual([3, 3]);
  expect(stopped.stderr + readAll(asker.home.folder)).not.toContain(TOKEN);
  last = PIECES;
  expect(await runIn(asker, [...command, "-q"])).toMatchObject({ code: 0, stderr: "" });
  // Three, the refused one, and the rest.
  expect(asker.service.requests).toHaveLength(PIECES + 1);
  const [output, description] = ["x.csv", "x.csv.datapackage.json"].map((name) =>
    readFileSync(asker.home.path(name), "utf8"),
  );
  expect(output).toMatch(/,\*\*\*,/);
  expect(description).toContain('"version": "***"');
  expect(readAll(asker.home.folder)).not.toContain(TOKEN);
});
