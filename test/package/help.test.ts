/** The help that the build prints in advance is what the program prints. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/commands/all.ts";
import { HELP_WIDTHS } from "../../src/cli/help-width.ts";
import { loadCommands } from "../../src/cli/explain.ts";
import { FULL, some } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { createFolder, ROOT, runCommand } from "./process.ts";

const FOLDER = fileURLToPath(new URL("../../dist/command/help/", import.meta.url));

test("of every command, at every width", async () => {
  const names = ["ents", ...(await loadCommands(COMMANDS)).map(({ name }) => name)];
  const brief = ["ents", "ents network", "ents facilities", "ents market", "ents show"].map((name) => ({
    stem: `${name.replace(" ", "-")}-h`,
    name,
    flag: "-h",
  }));
  const whole = names.map((name) => ({ stem: name.replaceAll(" ", "-"), name, flag: "--help" }));
  const wanted = [...whole, ...brief].flatMap((help) =>
    HELP_WIDTHS.map((width) => ({ ...help, file: `${help.stem}.${width}.txt`, width })),
  );
  expect(readdirSync(FOLDER).toSorted()).toEqual(wanted.map(({ file }) => file).toSorted());
  const home = createHome();
  for (const { file, name, flag, width: columns } of wanted) {
    const { stdout } = await home.run([...name.split(" ").slice(1), flag], { columns });
    expect({ file, text: readFileSync(`${FOLDER}${file}`, "utf8") }).toEqual({ file, text: stdout });
  }
});

test.runIf(FULL)("the binary does not make it, except for another width", async () => {
  const copy = createFolder();
  for (const part of ["bin", "dist", "package.json"]) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  writeFileSync(join(copy, "dist/command/help/ents-network.80.txt"), "printed beforehand\n");
  writeFileSync(join(copy, "dist/command/help/ents-network-h.80.txt"), "printed briefly\n");
  const ask = (...words: string[]) => runCommand([process.execPath, join(copy, "bin/ents"), ...words], copy).stdout;
  expect(ask("network", "--help")).toBe("printed beforehand\n");
  expect(ask("network", "-h")).toBe("printed briefly\n");
  expect(ask("network", "NEM", "--help")).toContain("Usage: ents network");
});

test.each(some(2, [["network", "-qh"], ["help", "market"], ["network", "--help"], ["network", "-h"], ["-h"], ["config", "set", "-h"]]))(
  "the binary prints it: %s %s %s",
  async (...words) => {
    const home = createHome();
    const { code, stdout } = await home.spawn(words);
    expect({ code, stdout }).toEqual({ code: 0, stdout: (await home.run(words)).stdout });
  },
);
