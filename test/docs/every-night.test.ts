/**
 * The files for other programs on the page about nightly runs are valid: their own tools check them, if they are
 * installed.
 */
import { existsSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FULL, isDue } from "../support/extent.ts";
import { createHome, ENTS } from "../support/run-ents.ts";
import { listBlocks, readPage } from "./markdown.ts";

const blocks = listBlocks(readPage("docs/every-night.md"));
const textsOf = (language: string) =>
  blocks.filter((block) => block.language === language).map(({ lines }) => `${lines.join("\n")}\n`);

test.runIf(FULL && isDue(existsSync("/usr/bin/crontab")))("cron's own check accepts the crontab", async () => {
  const home = createHome();
  writeFileSync(home.path("crontab"), textsOf("crontab").join(""));
  expect(await home.shell("crontab -n crontab")).toMatchObject({ code: 0 });
});

test.runIf(FULL && isDue(existsSync("/usr/bin/systemd-analyze")))(
  "systemd has no complaints about the units",
  async () => {
    const home = createHome();
    const [service = "", timer = ""] = textsOf("ini");
    writeFileSync(home.path("ents-price.service"), service.replace("/usr/local/bin/ents", ENTS));
    writeFileSync(home.path("ents-price.timer"), timer);
    // Ignores complaints about the machine's own units.
    const { code, stdout, stderr } = await home.shell(
      "systemd-analyze verify --man=no --recursive-errors=no ./ents-price.service ./ents-price.timer",
    );
    const said = (stdout + stderr).split("\n").filter((line) => line.includes("ents-price"));
    expect({ code, said }).toEqual({ code: 0, said: [] });
  },
);
