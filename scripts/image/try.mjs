/**
 * `node scripts/image/try.mjs <debian> <root>`: runs the steps of the Dockerfile as root, without a container engine: each
 * stage in a copy of `<debian>`, which debootstrap made, with chroot. The last stage is left in `<root>`. It knows the
 * instructions that this Dockerfile has, and no others.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchNode } from "../executable/fetch-node.mjs";
import { TARGETS } from "../executable/targets.mjs";

const CLONE = fileURLToPath(new URL("../../", import.meta.url));
const [debian, target] = process.argv.slice(2);
const workFolder = mkdtempSync(join(tmpdir(), "ents-image-"));
const stages = new Map();
let stage;

const INSTRUCTIONS = {
  FROM: (text) => {
    const [image, , name = "last"] = text.split(/\s+/);
    stage = {
      root: name === "last" ? target : join(workFolder, name),
      env: { PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
      folder: "/",
    };
    stages.set(name, stage);
    execFileSync("cp", ["-a", debian, stage.root]);
    // Names of hosts, proxies and certificates of this machine, as an engine would pass them on.
    for (const file of ["/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"]) cpSync(file, join(stage.root, file));
    execFileSync("mount", ["--bind", "/proc", join(stage.root, "proc")]);
    if (image.startsWith("node:")) installNode(stage.root);
  },
  WORKDIR: (text) => {
    stage.folder = text;
    mkdirSync(join(stage.root, text), { recursive: true });
  },
  ENV: (text) => {
    const [name, value] = text.split("=");
    stage.env[name] = value;
  },
  USER: (text) => {
    stage.user = text;
  },
  COPY: (text) => {
    const [, from] = /^--from=(\S+)/.exec(text) ?? [];
    const paths = text.split(/\s+/).filter((word) => !word.startsWith("--"));
    const to = join(stage.root, stage.folder.repeat(paths.at(-1).startsWith("/") ? 0 : 1), paths.pop());
    for (const path of paths) copy(from === undefined ? CLONE : stages.get(from).root, path, to);
  },
  RUN: (text) => runInside(["/bin/sh", "-ec", `cd ${stage.folder}; ${text}`]),
  ENTRYPOINT: (text) => {
    stage.entry = JSON.parse(text);
  },
};

try {
  for (const [, name, text] of readSteps()) {
    console.log(`${name} ${text}`);
    INSTRUCTIONS[name](text);
  }
  console.log(runInside(["/bin/sh", "-c", `cd ${stage.folder}; exec "$@"`, "sh", ...stage.entry, "--version"]));
} finally {
  for (const { root } of stages.values()) execFileSync("umount", [join(root, "proc")]);
  rmSync(workFolder, { recursive: true });
}

/** Instructions with their text in one line each, without comments. */
function readSteps() {
  const text = readFileSync(join(CLONE, "Dockerfile"), "utf8").replaceAll(/^#.*\n/gm, "");
  return text.replaceAll(/\\\n\s*/g, "").matchAll(/^([A-Z]+) (.*)$/gm);
}

function runInside(command) {
  const user = stage.user === undefined ? [] : [`--userspec=${stage.user}`];
  const variables = Object.entries({ ...process.env, ...stage.env }).filter(([name]) => !/^(HOME|npm_|XDG_)/.test(name));
  return execFileSync("chroot", [...user, stage.root, ...command], {
    env: Object.fromEntries(variables),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}

function copy(root, path, to) {
  const from = join(root, path);
  const ignored = readFileSync(join(CLONE, ".dockerignore"), "utf8")
    .trim()
    .split("\n")
    .map((name) => join(CLONE, name));
  const isFolder = statSync(from).isDirectory();
  mkdirSync(to.endsWith("/") || isFolder ? to : dirname(to), { recursive: true });
  cpSync(from, to.endsWith("/") && !isFolder ? join(to, path.split("/").at(-1)) : to, {
    recursive: true,
    filter: (file) => !ignored.includes(file),
  });
}

/** What the image of Node has: the official Node, with its library and its licence, and npm. */
function installNode(root) {
  runInside(["/bin/sh", "-ec", "apt-get update -qq && apt-get install -qq -y --no-install-recommends -o Acquire::Retries=3 libatomic1"]);
  const node = fetchNode(TARGETS[`linux-${process.arch}`], workFolder);
  const local = join(root, "usr/local");
  cpSync(node, join(local, "bin/node"));
  cpSync(join(dirname(node), "../LICENSE"), join(local, "LICENSE"));
  const npm = join(execFileSync("npm", ["root", "--global"], { encoding: "utf8" }).trim(), "npm");
  cpSync(npm, join(local, "lib/node_modules/npm"), { recursive: true });
  execFileSync("ln", ["-s", "../lib/node_modules/npm/bin/npm-cli.js", join(local, "bin/npm")]);
}
