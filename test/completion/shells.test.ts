/** TAB in real shells, on a terminal. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SHELLS } from "../../src/cli/completion/shells.ts";
import { describeProcess } from "../../src/main/process-context.ts";
import { storedCodes } from "../../src/facility-list/stored-codes.ts";
import { isDue, runs } from "../support/extent.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { FROM_MAN_PAGES, hasShell, inShell, type ShellName } from "./shell-session.ts";

const PUBLIC = "https://api.openelectricity.org.au/";
const HOSTILE = [
  "$(touch evil)",
  "`touch evil`",
  "a b",
  "q\"'q",
  "ha#h",
  "star*",
  "back\\slash",
  "~tilde",
  "co:lon",
  "ex!cl",
  "semi;colon",
];
const NAMES = ["my file.csv", "it's", "codes.txt", 'data/a$b".csv', "data/sub/c"];

async function createPlace(): Promise<Home> {
  const home = createHome();
  mkdirSync(home.path("data/sub"), { recursive: true });
  for (const name of NAMES) writeFileSync(home.path(name), "");
  const facilities = HOSTILE.map((code, index) => ({
    code: `F${index}${code}`,
    name: `name: ${code}`,
    network: "NEM",
    region: "SA1",
    units: [
      {
        code: `U${code}`,
        fueltech: "wind",
        status: "operating",
        capacity: "5",
        capacityMaximum: undefined,
        storage: undefined,
        firstData: undefined,
        lastData: undefined,
        facts: {},
        isLoad: false,
      },
    ],
  }));
  await storedCodes.store(
    PUBLIC,
    { receivedAt: 0, facilities },
    { env: { ENTS_CACHE_DIR: "cache" }, cwd: home.folder, process: describeProcess() },
  );
  return home;
}

interface Case {
  readonly typed: string;
  /** The line after TAB, the same in all shells or by shell. */
  readonly line: string | Readonly<Record<ShellName, string>>;
}

const same = (line: string) => ({ bash: line, zsh: line, fish: line });
const FACILITIES = "ents facilities NEM --unit-code";

const FEW: readonly Case[] = [
  { typed: "ents net", line: "ents network ‸" },
  { typed: "ents network NEM -m power,ener", line: "ents network NEM -m power,energy ‸" },
  { typed: `${FACILITIES} "Ua`, line: `${FACILITIES} "Ua b" ‸` },
];

/** `‸` marks the cursor, which is otherwise at the end. */
const MANY: readonly Case[] = [
  // Each kind of word
  { typed: "ents -q net", line: "ents -q network ‸" },
  { typed: "ents help conf", line: "ents help config ‸" },
  { typed: "ents config s", line: "ents config set ‸" },
  { typed: "ents config set max", line: "ents config set max-window ‸" },
  { typed: "ents completion po", line: "ents completion powershell ‸" },
  { typed: "ents network W", line: "ents network WEM ‸" },
  { typed: "ents network NEM ", line: "ents network NEM --metrics ‸" },
  { typed: "ents network NEM --metr", line: "ents network NEM --metrics ‸" },
  { typed: "ents network NEM --no-h", line: "ents network NEM --no-header ‸" },
  { typed: "ents network NEM -r", line: "ents network NEM -r ‸" },
  { typed: "ents network NEM -rNS", line: "ents network NEM -rNSW1 ‸" },
  { typed: "ents network NEM -r nsw", line: "ents network NEM -r NSW1 ‸" },
  { typed: "ents network NEM -m power ener", line: "ents network NEM -m power energy ‸" },
  { typed: "ents network NEM -m power energy -i se", line: "ents network NEM -m power energy -i season ‸" },
  { typed: "ents network NEM -i 1d -m pow -i sea", line: "ents network NEM -i 1d -m pow -i season ‸" },
  { typed: "ents network NEM --metrics=power,ener", line: "ents network NEM --metrics=power,energy ‸" },
  { typed: "ents network NEM --format=cs", line: "ents network NEM --format=csv ‸" },
  { typed: "ents network NEM -g sta", line: "ents network NEM -g status ‸" },
  { typed: "ents network NEM --time-zone Australia/Syd", line: "ents network NEM --time-zone Australia/Sydney ‸" },
  { typed: "ents list units --status ret", line: "ents list units --status retired ‸" },
  { typed: "ents nowhere x", line: "ents nowhere x‸" },
  // Cursor inside the line
  {
    typed: "ents network NEM --form‸ -q",
    line: {
      bash: "ents network NEM --format‸ -q",
      zsh: "ents network NEM --format ‸ -q",
      fish: "ents network NEM --format ‸-q",
    },
  },
  {
    typed: "ents net‸ NEM -m power",
    line: {
      bash: "ents network‸ NEM -m power",
      zsh: "ents network ‸ NEM -m power",
      fish: "ents network ‸NEM -m power",
    },
  },
  {
    typed: "ents network NEM -m ener‸xx",
    line: {
      bash: "ents network NEM -m energy‸xx",
      zsh: "ents network NEM -m ener‸xx",
      fish: "ents network NEM -m ener‸xx",
    },
  },
  // Files
  { typed: "ents network NEM -o my", line: "ents network NEM -o my\\ file.csv ‸" },
  { typed: "ents network NEM -o my\\ f", line: "ents network NEM -o my\\ file.csv ‸" },
  { typed: 'ents network NEM -o "my', line: 'ents network NEM -o "my file.csv" ‸' },
  { typed: "ents network NEM -o 'my f", line: "ents network NEM -o 'my file.csv' ‸" },
  { typed: "ents network NEM -o it", line: "ents network NEM -o it\\'s ‸" },
  {
    typed: "ents network NEM -o 'it",
    line: { ...same("ents network NEM -o 'it'\\''s' ‸"), fish: "ents network NEM -o 'it\\'s' ‸" },
  },
  { typed: "ents network NEM -o da", line: "ents network NEM -o data/‸" },
  { typed: "ents network NEM -o data/s", line: "ents network NEM -o data/sub/‸" },
  { typed: "ents network NEM -o data/a", line: 'ents network NEM -o data/a\\$b\\".csv ‸' },
  { typed: "ents network NEM -o ~/co", line: "ents network NEM -o ~/codes.txt ‸" },
  { typed: "ents network NEM --output=co", line: "ents network NEM --output=codes.txt ‸" },
  { typed: "ents network NEM --fueltech @co", line: "ents network NEM --fueltech @codes.txt ‸" },
  { typed: "ents network NEM > co", line: "ents network NEM > codes.txt ‸" },
  // Quotes
  { typed: "ents 'net", line: "ents 'network' ‸" },
  {
    typed: 'ents network NEM --format="cs',
    line: { ...same('ents network NEM --format="csv" ‸'), zsh: "ents network NEM --format=csv ‸" },
  },
  {
    typed: 'ents network "NEM" -m "power",ener',
    line: {
      bash: 'ents network "NEM" -m power,energy ‸',
      zsh: 'ents network "NEM" -m "power,energy" ‸',
      fish: 'ents network "NEM" -m "power",energy ‸',
    },
  },
  // Commands and variables, which are not expanded
  ...["$(touch evil)", "`touch evil`", '"$(touch evil)"'].flatMap((word) => [
    { typed: `ents network ${word} -m ener`, line: `ents network ${word} -m energy ‸` },
    { typed: `ents network NEM -m ${word}`, line: `ents network NEM -m ${word}‸` },
    { typed: `ents network NEM -o ${word}/`, line: `ents network NEM -o ${word}/‸` },
  ]),
  { typed: 'ents network "$(touch evil', line: 'ents network "$(touch evil‸' },
  { typed: "ents network `touch evil", line: "ents network `touch evil‸" },
  { typed: "ents network NEM -o $HOME/co", line: "ents network NEM -o $HOME/co‸" },
  { typed: "ents network NEM -m 'it", line: "ents network NEM -m 'it‸" },
  // Other commands on the line
  { typed: "true; ents net", line: "true; ents network ‸" },
  { typed: "echo x | ents net", line: "echo x | ents network ‸" },
  // Codes
  { typed: `${FACILITIES} "U\\$`, line: `${FACILITIES} "U\\$(touch evil)" ‸` },
  { typed: `${FACILITIES} U\\$`, line: `${FACILITIES} U\\$\\(touch\\ evil\\) ‸` },
  { typed: `${FACILITIES} 'U\``, line: `${FACILITIES} 'U\`touch evil\`' ‸` },
  { typed: `${FACILITIES} Ust`, line: `${FACILITIES} Ustar\\* ‸` },
  { typed: `${FACILITIES} Uco`, line: `${FACILITIES} Uco:lon ‸` },
  { typed: `${FACILITIES} Uba`, line: `${FACILITIES} Uback\\\\slash ‸` },
  { typed: `${FACILITIES} Use`, line: `${FACILITIES} Usemi\\;colon ‸` },
  { typed: `${FACILITIES} Uha`, line: `${FACILITIES} Uha\\#h ‸` },
  { typed: `${FACILITIES} 'Uq`, line: { ...same(`${FACILITIES} 'Uq"'\\''q' ‸`), fish: `${FACILITIES} 'Uq"\\'q' ‸` } },
  { typed: `${FACILITIES} Uco:lon,Us`, line: `${FACILITIES} Uco:lon,Us‸` },
];

/** What a list shows and in which order, in shells that need no second TAB to show it. */
const LISTS: readonly { readonly typed: string; readonly shown: readonly string[]; readonly explained: string }[] = [
  {
    typed: "ents ",
    shown: ["network", "facilities", "market", "help"],
    explained: "power, energy, emissions and market value of a network",
  },
  {
    typed: "ents network NEM -m ",
    shown: ["power", "energy", "market_value", "emissions"],
    explained: "Energy over the interval (MWh)",
  },
  {
    typed: "ents network NEM --no-",
    shown: ["--no-header", "--no-resume", "--no-progress"],
    explained: "omit the header line (csv, tsv)",
  },
  {
    typed: "ents network NEM -m power,",
    shown: ["energy", "market_value", "emissions"],
    explained: "Energy over the interval (MWh)",
  },
  {
    typed: "ents facilities NEM --facility-code F",
    shown: ["F4ha", "F5star", "F8co"],
    explained: "name: $(touch evil), SA1, wind, 5 MW",
  },
];

describe.concurrent.each<ShellName>(["bash", "zsh", "fish"])("%s", (name) => {
  const isHere = hasShell(name);
  // Quick tests run only bash; what the shells share is tested without a shell.
  const isAsked = name === "bash" || runs(false, true);

  test.skipIf(!isAsked || !isDue(isHere))(`${name} and tmux are installed (otherwise its tests are skipped)`, () => {
    expect(isHere).toBe(true);
  });

  test.runIf(isAsked && isDue(isHere))("types the rest, with the necessary quotes, and runs nothing", async () => {
    const home = await createPlace();
    const cases = runs(FEW, [...FEW, ...MANY]);
    await inShell(name, home, async ({ complete }) => {
      const lines: string[] = [];
      for (const { typed } of cases) lines.push(await complete(typed));
      expect(lines).toEqual(cases.map(({ line }) => (typeof line === "string" ? line : line[name])));
    });
    expect(existsSync(home.path("evil"))).toBe(false);
  });

  test.runIf(runs(false, true) && isDue(isHere))("lists the candidates, in order", async () => {
    await inShell(name, await createPlace(), async ({ list }) => {
      for (const { typed, shown, explained } of LISTS) {
        const screen = await list(typed, shown.at(-1) ?? "");
        for (const text of shown) expect(screen).toContain(text);
        expect(screen.includes(explained)).toBe(name !== "bash");
      }
    });
  });
});

test.runIf(runs(false, true) && isDue(hasShell("fish")))(
  "fish offers nothing that it has made from the man page",
  async () => {
    const home = await createPlace();
    mkdirSync(home.path(FROM_MAN_PAGES), { recursive: true });
    const lines = ["-l no-verify -d 'store without a check'", "-s m -l metrics -d 'comma-separated'"].map(
      (flags) => `complete -c ents ${flags}\n`,
    );
    writeFileSync(home.path(`${FROM_MAN_PAGES}/ents.fish`), lines.join(""));
    await inShell("fish", home, async ({ list, complete }) => {
      expect(await list("ents network NEM --no-", "--no-progress")).not.toContain("--no-verify");
      expect(await complete("ents network NEM -m")).toBe("ents network NEM -m ‸");
    });
  },
);

test.each(Object.entries(SHELLS))(
  "ents completion %s prints its script, and its help says how to install it",
  async (name, { script, install }) => {
    const home = createHome();
    expect(await home.run(["completion", name])).toMatchObject({ code: 0, stdout: script, stderr: "" });
    expect(script).toContain(`ents __complete ${name}`);
    const { stdout: help } = await home.run(["completion", name, "--help"]);
    const page = readFileSync(new URL("../../docs/shell.md", import.meta.url), "utf8").replaceAll("\\|", "|");
    for (const { command } of install) for (const text of [help, page]) expect(text).toContain(command);
  },
);
