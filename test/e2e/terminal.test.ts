/** What a person sees on a real terminal (tmux): the prompt, the table and its colours. */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isDue } from "../support/extent.ts";
import { createHome, runEnts, type RunOptions } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { hasTmux, onTerminal } from "../support/tmux.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { envelope, HOUR, POWER, TOKEN } from "./envelopes.ts";

test.skipIf(!isDue(hasTmux))("tmux is installed (otherwise all tests on a terminal are skipped)", () => {
  expect(hasTmux).toBe(true);
});

const BOLD = "\u001b[1m";

const WINDOW = "-i 1h -s 2025-01-31 -e 2025-02-03";
/** Three columns of power, the first one negative at noon. */
const BATTERIES =
  "ents network NEM -m power -g fueltech_group --fueltech-group battery solar wind -i 1h -s 2025-01-31T10:00 -e 2025-02-02 --sandbox -q";
const FETCH = `ents network NEM -m power energy emissions ${WINDOW} --sandbox`;

describe.runIf(isDue(hasTmux)).concurrent("on a real terminal", () => {
  test("login prompts for the token, does not show it, and stores it; Ctrl-C at the prompt is 130, and nothing is stored", async () => {
    const home = createHome();
    const login = "ents login --no-verify --base-url https://v4.example.org";
    await onTerminal(
      `${login}; echo code $?; ${login}`,
      { home, columns: 160 },
      async ({ until, type, read, tmux }) => {
        await until(/not shown/);
        tmux("send-keys", "C-c");
        expect(await until(/code \d+[\s\S]*not shown/)).toMatch(/https:\/\/v4\.example\.org[\s\S]*code 130/);
        expect(existsSync(home.configFolder)).toBe(false);
        type(TOKEN);
        await sleep(300);
        expect(read()).not.toContain(TOKEN.slice(0, 4));
        type("\n");
        expect(await until(/\[exit \d+\]/)).toMatch(/stored in[\s\S]*\[exit 0\]/);
        expect(read()).not.toContain(TOKEN.slice(0, 4));
      },
    );
    expect(JSON.parse(readFileSync(`${home.configFolder}/config.json`, "utf8"))).toMatchObject({
      tokens: { "https://v4.example.org": TOKEN },
    });
  });

  test("a table is the default, with a bold header and red negative numbers, in as many rows as fit above the prompt", async () => {
    await onTerminal(`clear; ${BATTERIES}`, { columns: 80, rows: 24 }, async ({ until, readColors }) => {
      const screen = await until(/\[exit 0\]/);
      const lines = screen.trimEnd().split("\n");
      expect(lines[0]).toMatch(/^power \(MW\) +Wind +Solar +Battery$/);
      expect(lines.slice(-3)).toEqual([
        "17 of 62 rows, 2025-01-31 10:00 to 2025-02-02 23:00, UTC+10:00, interval 1h",
        "network NEM, -f chart shows the whole window, --limit 0 shows all rows",
        "[exit 0]",
      ]);
      expect(lines).toHaveLength(24);
      expect(readColors()).toMatch(new RegExp(`${BOLD.replace("[", "\\[")}.*power`));
      expect(readColors()).toMatch(/\u001b\[31m-[\d.]+\s*\u001b\[39m/);
    });
  });

  test("an empty NO_COLOR counts as unset, and an empty FORCE_COLOR too", async () => {
    const line = `clear; NO_COLOR= FORCE_COLOR= ${FETCH} --limit 4 -q`;
    await onTerminal(line, { rows: 24 }, async ({ until, readColors }) => {
      await until(/\[exit 0\]/);
      expect(readColors()).toContain(BOLD);
    });
  });

  test("a dumb one with 0 columns is 80 wide, and gets ASCII without colours", async () => {
    await onTerminal(
      `clear; stty cols 0 rows 0; TERM=dumb ${FETCH} --limit 4 -q`,
      {},
      async ({ until, readColors }) => {
        const screen = await until(/\[exit 0\]/);
        expect(screen).toMatch(/^timestamp +power \(MW\) +energy \(MWh\) +emissions \(t\)$/m);
        expect(screen).toMatch(/^[\n\x20-\x7e]*$/);
        expect(readColors()).not.toContain("\u001b[");
      },
    );
  });
});

/** Soon after the data that are asked for: until now would be years. */
const NOW = Date.UTC(2025, 1, 2);

/** The screen of an 80×24 terminal after a command. */
async function look(
  line: string,
  options: RunOptions = {},
): Promise<{ readonly lines: string[]; readonly colors: string }> {
  const { code, stdout } = await runEnts(line.split(" "), {
    columns: 80,
    together: true,
    clock: createVirtualClock(0, () => NOW),
    ...options,
  });
  expect(code).toBe(0);
  return { lines: stdout.replaceAll(STYLES, "").split("\n"), colors: stdout };
}

/** Lines of a table, and of a chart, with that of the prompt. */
const [ROOM, CHART_ROOM] = [24, 23];

test("a list fits the height as other tables do, with its header visible; --limit 0 shows all of it", async () => {
  const { lines } = await look("list units --sandbox");
  expect(lines[0]).toContain("synthetic");
  expect(lines.find((line) => line.startsWith("unit_code "))).toMatch(/^unit_code +facility_name +region/);
  expect(lines.filter((line) => line.startsWith("... "))).toHaveLength(1);
  expect(lines.join("\n")).toMatch(/\n\d+ of 249 rows, --limit 0 shows all rows\nhidden/);
  expect(lines).toHaveLength(ROOM);
  expect((await look("list units --sandbox --limit 0")).lines).toContain("249 rows");
});

test.each([
  { command: "network NEM -m power -s 2025-01-30", said: "note: from 2025-01-30 until now", room: ROOM },
  {
    command: "facilities NEM -m power -s 2025-01-30 -e 2025-02-01",
    said: "warning: output does not identify",
    room: ROOM,
  },
  { command: "network NEM -m power -s 2025-01-30 -f chart", said: "note: from 2025-01-30 until now", room: CHART_ROOM },
])("messages above and below it stay visible: $command", async ({ command, said, room }) => {
  const { lines } = await look(`${command} -i 1h --sandbox`);
  for (const message of ["note: synthetic data", said]) expect(lines.join("\n")).toContain(`ents: ${message}`);
  expect(lines).toHaveLength(room);
});

test("at most two lines stand above a table; the rest of what is said stands below it", async () => {
  const { lines } = await look("facilities NEM -m power -i 1h -s 2025-01-30 --sandbox");
  const messages = lines.flatMap((line, at) => (line.startsWith("ents: ") ? [at] : []));
  const rule = lines.findIndex((line) => /^-[- ]+$/.test(line));
  expect(lines.slice(0, 2).map((line) => line.slice(0, 10))).toEqual(["ents: note", "      --du"]);
  expect(messages.slice(1).every((at) => at > rule)).toBe(true);
  expect(messages).toHaveLength(3);
  expect(lines).toHaveLength(ROOM);
});

test("a chart fits the terminal, with space for the prompt, and has colours", async () => {
  const line =
    "network NEM -m power -i 1h -s 2025-01-31 -e 2025-01-31 --secondary-grouping fueltech -f chart -q --sandbox";
  const { lines, colors } = await look(line, { columns: 100, env: { LC_ALL: "C.UTF-8" } });
  expect(lines[0]).toContain("Power by fuel technology");
  expect(lines).toHaveLength(CHART_ROOM);
  expect(lines.join("").replaceAll(COLORS, "")).toMatch(/[│▔]█{20}.*■ Black coal/);
  expect(colors).toContain("\u001b[38;5;");
});

test("a table in a file is plain, and does not mention the terminal", async () => {
  const service = await startService(() => POWER);
  const home = createHome();
  const env = { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN };
  expect(await home.run(["network", "NEM", "-m", "power", "-o", "power.txt"], { columns: 40, env })).toMatchObject({
    code: 0,
  });
  expect(readFileSync(home.path("power.txt"), "utf8")).toMatch(/^timestamp {9}power \(MW\)\n/);
});

test.concurrent.for([
  [80, /^timestamp +power \(MW\) +energy \(MWh\) +emissions \(t\)$/],
  [50, /^timestamp +power +energy +emissions\n +\(MW\) +\(MWh\) +\(t\)$/],
  [40, /^timestamp +2025-01-31 00:00\npower \(MW\) +[\d,.]+\nenergy \(MWh\) +[\d,.]+\nemissions \(t\) +[\d,.]+\n$/],
] as const)("the table at %i columns", async ([columns, start]) => {
  const { stdout } = await runEnts([...FETCH.split(" ").slice(1), "--limit", "4", "-q"], { columns });
  const lines = stdout.replaceAll(STYLES, "").split("\n");
  expect([1, 2, 5].some((count) => start.test(lines.slice(0, count).join("\n")))).toBe(true);
  expect(lines.filter((line) => line.length > columns)).toEqual([]);
});

test.concurrent.for([
  "table",
  "csv",
  "tsv",
  "json",
  "ndjson",

  "openmetrics --latest",
  "ndjson --duration",
  "chart",
  "svg",
  "html",
])("no control character of the service is in %s", async (format) => {
  const env = { ENTS_BASE_URL: (await startEvilService()).url, ENTS_TOKEN: TOKEN };
  const { code, stdout } = await runEnts(["network", "NEM", "-m", "power", "-f", ...format.split(" ")], {
    env,
    columns: 200,
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("\\u001b") as string });
  expect(stdout.replaceAll(COLORS, "").replaceAll("\n", "").replaceAll("\t", "")).not.toMatch(HARMFUL);
});

test.each(["text", "json"])("nor in its errors as %s", async (errors) => {
  const service = await startService(() => ({
    status: 400,
    body: { error: "no\u001b[2J\u001b]2;owned\u0007\u009b\u202e\u2066 such\nthing" },
  }));
  const env = { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN, ENTS_ERRORS: errors };
  const { code, stderr } = await runEnts(["network", "NEM", "-m", "power", "-v"], { env, columns: 100 });
  expect(code).toBe(4);
  expect(stderr).toContain("owned");
  expect(stderr.replaceAll(STYLES, "").replaceAll("\n", "")).not.toMatch(HARMFUL);
});

/** What a terminal acts on. */
const HARMFUL = /[\p{Cc}\p{Bidi_Control}]/u;
const COLORS = new RegExp("\u001b\\[[\\d;]*m", "g");
/** Bold, red, and their ends. */
const STYLES = new RegExp("\u001b\\[(?:1|22|31|39)m", "g");

function startEvilService() {
  const evil = "coal\u001b]2;owned\u0007\u001b[2J\u001b[31m\u009b31m\r\u202e\u2066";
  return startService(() => ({
    body: envelope([{ series: [{ labels: { fueltech: evil, [`a${evil}`]: "b" }, points: HOUR }] }]),
  }));
}
