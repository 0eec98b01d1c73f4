/** The scripts of a release, and the workflow that runs them (docs/releasing.md). */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FULL } from "../support/extent.ts";
import { createFolder, ROOT } from "./process.ts";

const read = (name: string) => readFileSync(join(ROOT, name), "utf8");
const { version, scripts } = JSON.parse(read("package.json")) as { readonly version: string; readonly scripts: object };

/** Runs the script that prints the notes in a copy of what it reads. */
function printNotes(
  tag: string,
  changelog: string,
  address?: string,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const folder = createFolder();
  mkdirSync(join(folder, "scripts/release"), { recursive: true });
  for (const name of ["package.json", "scripts/release/notes.mjs"]) cpSync(join(ROOT, name), join(folder, name));
  writeFileSync(join(folder, "CITATION.cff"), address === undefined ? "" : `repository-code: ${address}\n`);
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  return spawnSync(process.execPath, ["scripts/release/notes.mjs", tag], { cwd: folder, encoding: "utf8" });
}

test("the notes of a release are the section of its version; a wrong tag and a section without a date are refused", () => {
  const dated = `# Changelog\n\n## [9.9.9] - 2030-01-01\n\n- Later.\n\n## [${version}] - 2026-12-01\n\n- One.\n- Two.\n\n## [0.0.1] - 2020-01-01\n\n- Old.\n`;
  const released = printNotes(`v${version}`, dated, "https://github.com/owner/ents");
  expect(released).toMatchObject({ status: 0, stdout: "- One.\n- Two.\n" });
  expect(printNotes(`v${version}`, dated)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("CITATION.cff has no address") as string,
  });
  expect(printNotes("v9.9.9", dated)).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining(`tag v${version}`) as string,
  });
  const early = dated.replace("- One.", "Not released yet.\n\n- One.");
  expect(printNotes(`v${version}`, early)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("is not released yet") as string,
  });
  const undated = dated.replace("2026-12-01", "Unreleased");
  expect(printNotes(`v${version}`, undated)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("has no date") as string,
  });
  expect(read("CHANGELOG.md")).toContain(`\n## [${version}] - `);
});

test("a Windows program loses its signature, with the entry for it, before it is changed", async () => {
  const { unsign } = (await import(join(ROOT, "scripts/executable/unsign.mjs"))) as {
    readonly unsign: (file: string) => void;
  };
  const file = join(createFolder(), "node.exe");
  const [headers, length, signature] = [0x80, 0x400, 0x120];
  const signed = Buffer.alloc(length + signature, "x");
  signed.writeUInt32LE(headers, 0x3c);
  const entry = headers + 24 + 112 + 4 * 8;
  signed.writeUInt32LE(length, entry);
  signed.writeUInt32LE(signature, entry + 4);
  writeFileSync(file, signed);
  unsign(file);
  const bytes = readFileSync(file);
  expect([bytes.length, bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)]).toEqual([length, 0, 0]);
  expect(() => unsign(file)).toThrow(`${file} has no signature at its end`);
});

test.runIf(FULL)("a release's archives have checksums, and manifests with these", () => {
  const folder = createFolder();
  const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"].map((name) => `${name}.tar.xz`);
  const names = [...platforms, "win32-x64.zip"].map((name) => `ents-${version}-${name}`);
  for (const name of names) writeFileSync(join(folder, name), name);
  mkdirSync(join(folder, `ents-${version}-linux-x64`));
  writeFileSync(join(folder, `ents-${version}-linux-x64`, "ents"), "new");
  const env = { ...process.env, ENTS_EXECUTABLES: folder };
  execFileSync(process.execPath, [join(ROOT, "scripts/executable/pack.mjs")], { env });
  const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
  const hashOf = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  expect(sums).toEqual(names.toSorted().map((name) => `${hashOf(name)}  ${name}`));
  expect(execFileSync("tar", ["-tJf", join(folder, names[0] as string)], { encoding: "utf8" })).toContain("ents");

  execFileSync(process.execPath, [join(ROOT, "scripts/release/manifests.mjs"), "owner/ents"], { env });
  const [, , , , zip = ""] = names;
  const url = `https://github.com/owner/ents/releases/download/v${version}/${zip}`;
  const manifest = (name: string) => readFileSync(join(folder, "manifests", name), "utf8");
  expect(JSON.parse(manifest("ents.json"))).toMatchObject({
    version,
    architecture: { "64bit": { url, hash: hashOf(zip) } },
    bin: "ents.exe",
  });
  for (const name of names.slice(0, 4))
    expect(manifest("ents.rb")).toContain(`${name}"\n      sha256 "${hashOf(name)}"`);
  expect(manifest("owner.ents.installer.yaml")).toContain(
    `InstallerUrl: ${url}\n  InstallerSha256: ${hashOf(zip).toUpperCase()}\n`,
  );
  expect(readdirSync(join(folder, "manifests"))).toHaveLength(5);
});

test("the workflow runs scripts that exist", () => {
  const workflow = read(".github/workflows/release.yml");
  const files = [...workflow.matchAll(/\b(?:node|bash) ((?:scripts\/|\.ci\/)[\w/.-]+)/g)].map(([, path = ""]) => path);
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const runs = [...workflow.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(runs.filter((name) => !(name in scripts))).toEqual([]);
  expect(read("CITATION.cff")).toContain(`\nversion: ${version}\n`);
});
