/** File system faults: outputs, folders of kept answers and locks that fail or were planted by others. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Home } from "../support/run-ents.ts";
import { AS_ROOT, canBeNobody, canMount, NOBODY } from "../support/root.ts";
import { fillDisk, mountDisk } from "../support/small-disk.ts";
import type { Fault, MakeFault } from "./fault.ts";
import { OLD, OUT, PARTIAL, type Scene } from "./scene.ts";

/** Longer than a run takes. */
const RUN_MS = 800;
const FOLDER = dirname(OUT);

const afterWhile =
  (act: (scene: Scene) => unknown): NonNullable<Fault["act"]> =>
  async (scene, { finished }) => {
    await Promise.race([sleep(scene.chance.below(RUN_MS)), finished]);
    act(scene);
  };

/** Root can write anything, so files that must not be writable are given to another user. */
function giveTo(home: Home, { uid, gid }: { uid: number; gid: number }): void {
  for (const path of [FOLDER, OUT]) chownSync(home.path(path), uid, gid);
}

const REMOVED: MakeFault = () => ({
  name: "the folder of the output is moved away",
  ends: [0, 6],
  touched: [FOLDER, "gone"],
  mayLose: true,
  act: afterWhile(({ home }) => renameSync(home.path(FOLDER), home.path("gone"))),
  check: ({ home }) => {
    if (existsSync(home.path(FOLDER))) throw new Error("the folder was made anew");
  },
  mend: ({ home }) => renameSync(home.path("gone"), home.path(FOLDER)),
});

const CLOSED: MakeFault = (chance) => {
  const early = chance.oneIn(3);
  const close = ({ home }: Scene) => chmodSync(home.path(FOLDER), 0o555);
  return {
    name: `the folder of the output is read-only ${early ? "from the start" : "after a while"} (needs root)`,
    ends: early ? [6] : [0, 6],
    user: NOBODY,
    touched: [FOLDER],
    plant: (scene) => {
      giveTo(scene.home, NOBODY);
      if (early) close(scene);
    },
    ...(early ? {} : { act: afterWhile(close) }),
    mend: ({ home }) => chmodSync(home.path(FOLDER), 0o755),
  };
};

/** Something else takes the place of the output, from the start or after a while. */
const REPLACED: MakeFault = (chance) => {
  const kinds = {
    "a folder": (path: string) => mkdirSync(path),
    "a link to a file": (path: string) => symlinkSync("../linked/target", path),
    "a link to nothing": (path: string) => symlinkSync("no/such/file", path),
    "a link to itself": (path: string) => symlinkSync("old", path),
  };
  const kind = chance.pick(Object.keys(kinds) as (keyof typeof kinds)[]);
  return {
    name: `the output is replaced by ${kind} after a while`,
    ends: [0, 6],
    mayLose: true,
    outputs: ["linked/target"],
    plant: ({ home }) => writeFileSync(home.path("linked/target"), OLD),
    act: afterWhile(({ home }) => {
      rmSync(home.path(OUT), { recursive: true, force: true });
      kinds[kind](home.path(OUT));
    }),
    mend: ({ home }) => {
      rmSync(home.path(OUT), { recursive: true, force: true });
      writeFileSync(home.path(OUT), OLD);
    },
  };
};

const FOLDER_OUTPUT: MakeFault = () => ({
  name: "the output is a folder",
  ends: [6],
  mayLose: true,
  plant: ({ home }) => {
    rmSync(home.path(OUT));
    mkdirSync(home.path(OUT));
  },
  mend: ({ home }) => rmSync(home.path(OUT), { recursive: true }),
});

/** Every link stays, and the file at the end of the chain is the output. */
const LINKED: MakeFault = (chance) => {
  const length = 1 + chance.below(3);
  const dangling = chance.oneIn(3);
  const links = Array.from({ length }, (_, index) => (index === 0 ? OUT : `linked/link${index}`));
  const targets = links.map((_, index) => (index === length - 1 ? "../linked/target" : `../linked/link${index + 1}`));
  return {
    name: `the output is a chain of ${length} links to ${dangling ? "a new file" : "a file"}`,
    ends: [0],
    outputs: ["linked/target"],
    foreign: [OUT],
    mayLose: dangling,
    plant: ({ home }) => {
      rmSync(home.path(OUT));
      for (const [index, link] of links.entries()) symlinkSync(targets[index] as string, home.path(link));
      if (!dangling) writeFileSync(home.path("linked/target"), OLD);
    },
  };
};

/** Nothing is kept beside a device. Only root could write there, so trying it as another user does no harm. */
const DEVICES: MakeFault = (chance) => {
  const [output, ends] = chance.pick([
    ["/dev/full", [6]],
    ["/dev/null", [0]],
  ] as const);
  return {
    name: `the output is ${output}`,
    ends,
    output,
    ...(AS_ROOT ? { user: NOBODY, plant: ({ home }: Scene) => giveTo(home, NOBODY) } : {}),
  };
};

/** Standard output by its path: existing content stays, everything is written once, and nothing is kept beside it. */
const STANDARD_OUTPUT: MakeFault = (chance) => {
  const output = chance.pick(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]);
  const connection = chance.pick(["a socket", "a pipe", "a file"] as const);
  const shells = {
    "a socket": ":;",
    "a pipe": "mkfifo data/pipe; cat data/pipe & exec > data/pipe;",
    "a file": "echo before > data/log; exec >> data/log;",
  };
  return {
    name: `the output is ${output}, ${connection}`,
    ends: [0],
    output,
    shell: shells[connection],
    touched: ["data/pipe", "data/log"],
    check: ({ home }, { run, whole }) => {
      const [came, due] = connection === "a file" ? [readFileSync(home.path("data/log"), "utf8"), `before\n${whole}`] : [run.stdout, whole];
      if (came !== due) throw new Error(`standard output has ${came.length} characters of ${due.length}`);
    },
  };
};

const FIFO: MakeFault = (chance) => {
  const [reader, ends] = chance.pick([
    ["cat data/pipe > data/copy &", [0]],
    ["head -c 100 data/pipe > data/copy &", [0]],
    // A process that waits for a reader can still be stopped.
    ["(sleep 2; kill -TERM $$) &", [143, "SIGTERM"]],
    ["(sleep 2; kill -INT $$) &", [130, "SIGINT"]],
  ] as const);
  return {
    name: `the output is a FIFO (${reader})`,
    ends,
    output: "data/pipe",
    shell: reader,
    touched: ["data/copy", "data/pipe"],
    plant: ({ home }) => execFileSync("mkfifo", [home.path("data/pipe")]),
    check: ({ home }, { whole }) => {
      if (!statSync(home.path("data/pipe")).isFIFO()) throw new Error("the FIFO is gone");
      if (reader.startsWith("cat") && readFileSync(home.path("data/copy"), "utf8") !== whole) throw new Error("the reader has not got all");
      if (existsSync(home.path("data/pipe.ents"))) throw new Error("something is kept beside a FIFO");
    },
  };
};

/** Something else is where ents keeps answers. */
const PLANTED_FOLDER: MakeFault = (chance) => {
  const kinds: Readonly<Record<string, [plant: (path: string) => unknown, ends: readonly number[], foreign: readonly string[]]>> = {
    "a link to another's folder": [(path) => symlinkSync("../precious", path), [6], [PARTIAL]],
    "a link to nothing": [(path) => symlinkSync("../no/such", path), [6], [PARTIAL]],
    "a link to itself": [(path) => symlinkSync("old.ents", path), [6], [PARTIAL]],
    "a file": [(path) => writeFileSync(path, "mine"), [6], [PARTIAL]],
    "a FIFO": [(path) => execFileSync("mkfifo", [path]), [6], [PARTIAL]],
    "a folder that all may write": [
      (path) => {
        mkdirSync(path);
        chmodSync(path, 0o777);
      },
      [6],
      [],
    ],
    "a folder of another user": [
      (path) => {
        mkdirSync(path);
        chownSync(path, NOBODY.uid, NOBODY.gid);
      },
      AS_ROOT ? [6] : [0, 6],
      [],
    ],
    "a folder with another's files": [
      (path) => {
        mkdirSync(path, { mode: 0o700 });
        mkdirSync(join(path, "album"));
        for (const name of ["photo.jpg", "album/photo.jpg", "lock.txt", "x.json.gz", ".hidden"])
          writeFileSync(join(path, name), "precious");
        symlinkSync("../../precious/photo.jpg", join(path, "2025-01-01T0000_open.01234567.0.json.gz"));
        symlinkSync("../../precious/photo.jpg", join(path, "2025-01-01T0000_open.01234567.0.json.gz.01234567.part"));
      },
      [0],
      ["photo.jpg", "album", "album/photo.jpg", "lock.txt", "x.json.gz", ".hidden"].map((name) => `${PARTIAL}/${name}`),
    ],
  };
  const kind = chance.pick(Object.keys(kinds));
  const [plant, ends, foreign] = kinds[kind] as (typeof kinds)[string];
  return {
    name: `${PARTIAL} is ${kind}`,
    ends,
    foreign,
    plant: ({ home }) => plant(home.path(PARTIAL)),
    mend: ({ home }) => {
      if (kind !== "a folder with another's files") rmSync(home.path(PARTIAL), { recursive: true, force: true });
    },
  };
};

/** Something else is where ents puts its lock. */
const PLANTED_LOCK: MakeFault = (chance) => {
  const stale = (more: object) => JSON.stringify({ host: "here", boot: "b", namespace: "n", pid: 999_999, started: "1", ...more });
  const kinds: Readonly<Record<string, [plant: (path: string) => unknown, ends: readonly number[]]>> = {
    empty: [(path) => writeFileSync(path, ""), [0, 6]],
    "empty and old": [writeOld(""), [0]],
    "garbage and old": [writeOld("\u0000\u001b[2J not json"), [0]],
    "a bare number of process": [writeOld(`${process.pid}\n`), [0, 6]],
    "of another machine, silent": [writeOld(stale({ host: "elsewhere" })), [0]],
    "of another machine, fresh": [(path) => writeFileSync(path, stale({ host: "elsewhere" })), [6]],
    "a folder": [(path) => mkdirSync(path), [0, 6]],
    "a dangling link": [(path) => symlinkSync("/no/such/file", path), [0, 6]],
    "a link to another's file": [(path) => symlinkSync("../../precious/photo.jpg", path), [0, 6]],
    "a FIFO": [(path) => execFileSync("mkfifo", [path]), [0, 6]],
    "a large file": [writeOld("x".repeat(3_000_000)), [0, 6]],
  };
  const kind = chance.pick(Object.keys(kinds));
  const [plant, ends] = kinds[kind] as (typeof kinds)[string];
  return {
    name: `the lock is ${kind}`,
    ends,
    plant: ({ home }) => {
      mkdirSync(home.path(PARTIAL), { mode: 0o700 });
      plant(home.path(`${PARTIAL}/lock`));
    },
    // What a person would do after reading the message.
    mend: ({ home }) => rmSync(home.path(`${PARTIAL}/lock`), { recursive: true, force: true }),
  };
};

function writeOld(content: string): (path: string) => void {
  return (path) => {
    writeFileSync(path, content);
    utimesSync(path, 1_600_000_000, 1_600_000_000);
  };
}

/** Kept answers that are damaged between two runs: truncated, emptied, or replaced by links to other files. */
const SPOILED: MakeFault = (chance) => {
  const kind = chance.pick(["cut", "emptied", "flipped", "a link to another's file", "a dangling link", "a FIFO", "gone", "twice as long"]);
  const spoil: Readonly<Record<string, (path: string) => unknown>> = {
    cut: (path) => writeFileSync(path, readFileSync(path).subarray(0, chance.below(statSync(path).size))),
    emptied: (path) => writeFileSync(path, ""),
    flipped: (path) => {
      const bytes = readFileSync(path);
      const at = chance.below(bytes.length);
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(path, bytes);
    },
    "a link to another's file": (path) => replaceWith(path, () => symlinkSync("../../precious/photo.jpg", path)),
    "a dangling link": (path) => replaceWith(path, () => symlinkSync("../../precious/new.jpg", path)),
    "a FIFO": (path) => replaceWith(path, () => execFileSync("mkfifo", [path])),
    gone: (path) => unlinkSync(path),
    "twice as long": (path) => writeFileSync(path, Buffer.concat([readFileSync(path), readFileSync(path)])),
  };
  return {
    name: `kept answers are spoiled: ${kind}`,
    ends: [5],
    asks: "the service",
    trouble: ({ piece, response }) => {
      if (piece < 4) return undefined;
      response.socket?.destroy();
      return "answered";
    },
    mend: ({ home }) => {
      const names = readdirSync(home.path(PARTIAL)).filter((name) => name.endsWith(".json.gz"));
      for (const name of names) if (chance.oneIn(2)) spoil[kind]?.(home.path(`${PARTIAL}/${name}`));
    },
  };
};

function replaceWith(path: string, make: () => unknown): void {
  unlinkSync(path);
  make();
}

const DISK_KB = 256;

const FULL: MakeFault = (chance) => {
  const roomKb = 4 * chance.below(20);
  return {
    name: `the disk has ${roomKb} KB left (needs root)`,
    ends: [0, 6],
    touched: [`${FOLDER}/filler`],
    plant: ({ home }) => {
      const folder = home.path(FOLDER);
      renameSync(folder, home.path("aside"));
      mountDisk(folder, DISK_KB);
      execFileSync("cp", ["-a", `${home.path("aside")}/.`, folder]);
      rmSync(home.path("aside"), { recursive: true });
      fillDisk(folder, roomKb);
    },
    mend: ({ home }) => rmSync(home.path(`${FOLDER}/filler`)),
  };
};

export const FILE_FAULTS: readonly MakeFault[] = [
  REMOVED,
  REPLACED,
  REPLACED,
  FOLDER_OUTPUT,
  LINKED,
  LINKED,
  DEVICES,
  STANDARD_OUTPUT,
  STANDARD_OUTPUT,
  FIFO,
  FIFO,
  ...Array.from({ length: 4 }, () => PLANTED_FOLDER),
  ...Array.from({ length: 4 }, () => PLANTED_LOCK),
  ...Array.from({ length: 3 }, () => SPOILED),
  ...(canBeNobody ? [CLOSED, CLOSED] : []),
  ...(canMount() ? [FULL, FULL] : []),
];
