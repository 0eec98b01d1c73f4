/**
 * `npm run executable [-- <platform>...] [--node <file>]`: ents as one file that needs no Node, in
 * `executable/ents-<version>-<platform>/`, with its licences and manual page. By default for this platform.
 *
 * Node itself adds the files of the package to a copy of its binary, as a file system that only the program sees
 * ("useVfs"), so that ents runs in it unchanged. `--node` names an official Node 26.9 or later of this platform to
 * copy, in place of the one from the npm registry.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fetchNode, run } from "./fetch-node.mjs";
import { HASHES, TARGETS } from "./targets.mjs";
import { unsign } from "./unsign.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
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
    assets: listAssets(),
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

/**
 * The files that ents reads from its package, by their paths there; without source maps, which cost each start 3 to 5
 * ms.
 */
function listAssets() {
  const paths = [
    "package.json",
    "dist/page.js",
    ...list("dist/command", /[.]cjs$/),
    ...list("node_modules/@resvg/resvg-wasm", /^(package[.]json|index[.]js|index_bg[.]wasm)$/),
    "node_modules/@fontsource/pt-sans/package.json",
    ...list("node_modules/@fontsource/pt-sans/files", /^pt-sans-(latin|latin-ext|cyrillic)-[47]00-normal[.]woff2$/),
  ];
  return Object.fromEntries(paths.map((path) => [path, join(ROOT, path)]));
}

function list(folder, pattern) {
  const names = readdirSync(join(ROOT, folder)).filter((name) => pattern.test(name));
  return names.map((name) => `${folder}/${name}`);
}

function copyTexts(folder, builder) {
  copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  copyFileSync(join(ROOT, "docs", "ents.1"), join(folder, "ents.1"));
  // Beside bin/ on Linux and macOS, beside node.exe on Windows.
  const ofNode = [join(dirname(builder), "..", "LICENSE"), join(dirname(builder), "LICENSE")].find(existsSync);
  if (ofNode === undefined) throw new Error(`no LICENSE beside ${builder}: use an official Node`);
  const texts = [
    join(ROOT, "dist/THIRD-PARTY-NOTICES"),
    join(ROOT, "node_modules/@fontsource/pt-sans/LICENSE"),
    ofNode,
  ];
  const resvg =
    "The executable holds @resvg/resvg-wasm (MPL-2.0, https://github.com/thx/resvg-js), PT Sans and Node.js, too:";
  writeFileSync(
    join(folder, "THIRD-PARTY-NOTICES"),
    [readFileSync(texts[0], "utf8"), resvg, ...texts.slice(1).map((file) => readFileSync(file, "utf8"))].join("\n\n"),
  );
}
