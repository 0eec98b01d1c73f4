/**
 * The executable does what bin/ents does: that of `npm run executable` (`ENTS_TEST_EXECUTABLE`), and that in the image,
 * whose files `.ci/run` leaves in a folder (`ENTS_TEST_IMAGE`).
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { listBlocks, readPage } from "../docs/markdown.ts";
import { isDue } from "../support/extent.ts";
import { AS_ROOT } from "../support/root.ts";
import { BIN, createFolder } from "./process.ts";

const EXECUTABLE = process.env["ENTS_TEST_EXECUTABLE"] ?? "";
const IMAGE = process.env["ENTS_TEST_IMAGE"] ?? "";

const PRICE = "ents market NEM -m price -i 1h -s 2025-01-01 -e 2025-01-03 -g region --sandbox -q";
const LINES = [
  // The uses on the first page, but for lines with other programs.
  ...listBlocks(readPage("README.md"))
    .filter(({ language }) => language === "console")
    .flatMap(({ lines }) => lines.filter((line) => /^\$ ents [^|>]*$/.test(line)).map((line) => line.slice(2))),
  ...["csv", "tsv.gz", "json", "parquet", "arrow", "xlsx", "svg", "png", "html"].map(
    (ending) => `ents show kept.csv -q -o price.${ending}`,
  ),
  `${PRICE} -f chart`,
  `${PRICE} --time-zone Australia/Sydney`,
  "ents update -q kept.csv",
  "ents show kept.csv --summary-only -f csv",
  "ents completion bash",
  "ents __complete bash '' 'ents network NEM --metr'",
  "ents network --help",
  "ents metrics price -f json",
  "ents network NEM -m pwer",
];

/** A folder with an output that `--update` made: what is made of its stored responses is the same at any time. */
let kept: string;

beforeAll(() => {
  kept = createFolder();
  execFileSync(BIN, [...PRICE.split(" ").slice(1), "-o", "kept.csv", "--update", "--complete"], { cwd: kept });
});

interface Machine {
  /** The command that enters a chroot as a user without rights; empty for this machine. */
  readonly enter: readonly string[];
  readonly ents: readonly string[];
  readonly root: string;
}

/** All that the lines print, and the files that they leave, without the PATH that would find a Node. */
function runLines({ enter, ents, root }: Machine): {
  readonly printed: string;
  readonly files: Readonly<Record<string, string>>;
} {
  const folder = mkdtempSync(join(root, "work-"));
  cpSync(kept, folder, { recursive: true });
  const isChroot = enter.length > 0;
  if (isChroot) execFileSync("chown", ["-R", "1000:1000", folder]);
  const inside = isChroot ? folder.slice(IMAGE.length) : folder;
  const script = [
    `cd ${inside}`,
    `ents() { ${ents.map((word) => `'${word}'`).join(" ")} "$@"; }`,
    ...LINES.map((line) => `${line}; echo "ended with $?"`),
  ];
  const [file, ...args] = [...enter, "/bin/sh"];
  const env = { PATH: "", HOME: inside, ENTS_CACHE_DIR: `${inside}/cache`, LC_ALL: "C.UTF-8" };
  const { stdout, stderr } = spawnSync(file, [...args, "-c", script.join("\n")], {
    env,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  const names = readdirSync(folder).filter((name) => name.startsWith("price"));
  const files = names.map(
    (name) =>
      [
        name,
        createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex"),
      ] as const,
  );
  rmSync(folder, { recursive: true });
  return { printed: stdout + stderr, files: Object.fromEntries(files) };
}

const runHere = (ents: Machine["ents"]) => runLines({ enter: [], ents, root: createFolder() });

test.skipIf(!isDue(EXECUTABLE !== ""))(
  "the executable prints and writes what bin/ents does, with an empty PATH",
  () => {
    const expected = runHere([process.execPath, BIN]);
    expect(Object.keys(expected.files)).toHaveLength(10);
    // The last one is a mistake.
    expect(expected.printed.match(/(?<=ended with )\d/g)).toEqual(
      LINES.map((_, index) => (index === LINES.length - 1 ? "2" : "0")),
    );
    expect(runHere([EXECUTABLE])).toEqual(expected);
  },
);

test.skipIf(!isDue(EXECUTABLE !== ""))("NODE_OPTIONS for another program do not stop it", () => {
  const env = { PATH: "", HOME: createFolder(), NODE_OPTIONS: "--require ./missing.cjs --no-such-flag" };
  const { status, stdout, stderr } = spawnSync(EXECUTABLE, ["--version"], { env, encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^\d+[.]\d+[.]\d+\n$/) as string,
    stderr: "",
  });
});

test.skipIf(IMAGE === "" || !AS_ROOT)(
  "so does that of the image, as its user, where there is no Node (needs root, to enter it)",
  () => {
    for (const path of ["usr/bin/node", "usr/local/bin/node"]) expect(existsSync(join(IMAGE, path))).toBe(false);
    const enter = ["/usr/sbin/chroot", "--userspec=ents", IMAGE];
    const expected = runHere([process.execPath, BIN]);
    expect(runLines({ enter, ents: ["/usr/local/bin/ents"], root: join(IMAGE, "data") })).toEqual(expected);
  },
);
