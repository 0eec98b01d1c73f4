/**
 * Packs each folder that `npm run executable` made into `executable/`, for a release, and writes `SHA256SUMS` of the
 * archives.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import yazl from "yazl";

const FOLDER = process.env.ENTS_EXECUTABLES ?? fileURLToPath(new URL("../../executable/", import.meta.url));
const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
for (const { name } of folders) await (name.includes("win32") ? zip(name) : tar(name));
const archives = readdirSync(FOLDER).filter((name) => /[.](tar[.]xz|zip)$/.test(name));
writeFileSync(
  join(FOLDER, "SHA256SUMS"),
  archives
    .sort()
    .map((name) => `${hash(name)}  ${name}\n`)
    .join(""),
);

function tar(name) {
  // With two threads and less than 1 GB.
  execFileSync("tar", ["-cJf", `${name}.tar.xz`, name], { cwd: FOLDER, env: { ...process.env, XZ_OPT: "-6 -T2" } });
}

async function zip(name) {
  const archive = new yazl.ZipFile();
  for (const file of readdirSync(join(FOLDER, name))) archive.addFile(join(FOLDER, name, file), `${name}/${file}`);
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(join(FOLDER, `${name}.zip`)));
}

function hash(name) {
  return createHash("sha256")
    .update(readFileSync(join(FOLDER, name)))
    .digest("hex");
}
