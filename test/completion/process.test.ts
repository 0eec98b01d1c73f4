/** `ents __complete` as scripts run it: whatever is wrong, it exits with 0 and prints no error. */
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runs } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { HAS_SHELL } from "../support/platform.ts";

const FACILITY = `bash "" "ents facilities NEM --facility-code "`;

const LINES: readonly string[] = [
  `ents __complete bash "" "ents facilities NEM --base-url nowhere --facility-code "`,
  "ents __complete",
  "ents __complete tcsh x",
  "ents __complete --help",
  `ENTS_BASE_URL='http://[' ents __complete ${FACILITY}`,
  `ENTS_CACHE_DIR=damaged ents __complete ${FACILITY}`,
  `ENTS_CACHE_DIR=/dev/null/x ENTS_CONFIG_DIR=/dev/null/x ents __complete ${FACILITY}`,
  `env -u HOME -u ENTS_CACHE_DIR -u ENTS_CONFIG_DIR ents __complete ${FACILITY}`,
  `cd gone && rmdir ../gone && ents __complete bash "" "ents network NEM -o "`,
  `ents __complete bash "" "ents " >&-`,
];

test.skipIf(!HAS_SHELL).each(LINES.slice(0, runs(1, LINES.length)))("%s", async (line) => {
  const home = createHome();
  mkdirSync(home.path("gone"));
  mkdirSync(home.path("damaged/codes"), { recursive: true });
  writeFileSync(
    home.path("damaged/codes/https%3A%2F%2Fapi.openelectricity.org.au%2F.json"),
    '{"version":1,"service":"https://api.openelectricity.org.au/"',
  );
  expect(await home.shell(line)).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
});

test.runIf(runs(false, true))("a reader that leaves, and a full disk", async () => {
  const home = createHome();
  const zones = `bash "" "ents network NEM --time-zone "`;
  expect(await home.shell(`ents __complete ${zones} | true; ents __complete ${zones} > /dev/full`)).toMatchObject({
    code: 0,
    stderr: "",
  });
});
