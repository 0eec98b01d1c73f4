/**
 * `npm run executable [-- <platform>...] [--node <file>]`: ents as one file that needs no Node, in
 * `executable/ents-<version>-<platform>/`, with its licences and manual page. By default for this platform.
 *
 * Node itself adds the files of the package to a copy of its binary, as a file system that only the program sees
 * ("useVfs"), so that ents runs in it unchanged. `--node` names an official Node 26.9 or later of this platform to
 * copy, in place of the one from the npm registry.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { fetchNode, run } from "./fetch-node.mjs";
import { HASHES, TARGETS } from "./targets.mjs";
import { listPackage, readNotices, ROOT } from "../package-files.mjs";
import { unsign } from "./unsign.mjs";

const HERE = `${process.platform}-${process.arch}`;
const MAIN = 'require("./dist/command/start.cjs").stopped.then((stopped) => {\n  if (stopped) process.exit();\n});\n';

const { values, positionals } = parseArgs({ options: { node: { type: "string" } }, allowPositionals: true });
const workFolder = mkdtempSync(join(tmpdir(), "ents-executable-"));
try {
  for (const platform of positionals.length === 0 ? [HERE] : positionals) console.log(build(platform));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(workFolder, { recursive: true });
}

function build(platform) {
  const { base, builder } = findNodes(platform);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const folder = join(ROOT, "executable", `ents-${version}-${platform}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, platform.startsWith("win32") ? "ents.exe" : "ents");
  inject({ base, builder, file, isLinux: platform.startsWith("linux") });
  copyTexts(folder, builder);
  return file;
}

/** The Node to copy, and a Node of the same version that runs here, which puts ents into it. */
function findNodes(platform) {
  if (values.node !== undefined && platform === HERE) return { base: values.node, builder: values.node };
  const base = TARGETS[platform];
  const builder = base && TARGETS[HERE]?.replace(/@.*/, base.slice(base.indexOf("@")));
  if (base === undefined || !(builder in HASHES)) {
    throw new Error(
      `cannot build for "${platform}" on ${HERE}: use ${Object.keys(TARGETS).join(", ")}, or --node with ${HERE}`,
    );
  }
  return { base: fetchNode(base, workFolder), builder: fetchNode(builder, workFolder) };
}

function inject({ base, builder, file, isLinux }) {
  const executable = join(workFolder, "node");
  copyFileSync(base, executable);
  if (isLinux) stripSymbols(executable);
  if (file.endsWith(".exe")) unsign(executable);
  const main = join(workFolder, "main.cjs");
  writeFileSync(main, MAIN);
  const config = join(workFolder, "executable.json");
  const options = {
    main,
    output: file,
    executable,
    disableExperimentalSEAWarning: true,
    useVfs: true,
    assets: Object.fromEntries(listPackage().map((path) => [path, join(ROOT, path)])),
  };
  // NODE_OPTIONS is meant for other programs: with a flag or a file that is missing here, ents would not start.
  writeFileSync(config, JSON.stringify({ ...options, execArgvExtension: "none" }));
  run(builder, ["--build-sea", config]);
  if (process.platform === "darwin") run("codesign", ["--sign", "-", "--force", file]);
}

/** Saves a quarter of the size. Without a strip for the processor, the file is larger and works. */
function stripSymbols(file) {
  for (const strip of ["strip", "llvm-strip"]) {
    try {
      run(strip, [file]);
      return;
    } catch {
      // The next one, or none.
    }
  }
}

function copyTexts(folder, builder) {
  copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(join(ROOT, "docs", "ents.1"), join(folder, "ents.1"));
  // Beside bin/ on Linux and macOS, beside node.exe on Windows.
  const ofNode = [join(dirname(builder), "..", "LICENSE"), join(dirname(builder), "LICENSE")].find(existsSync);
  if (ofNode === undefined) throw new Error(`no LICENSE beside ${builder}: use an official Node`);
  writeFileSync(
    join(folder, "THIRD-PARTY-NOTICES"),
    [...readNotices("executable"), "Node.js:", readFileSync(ofNode, "utf8")].join("\n\n"),
  );
}
