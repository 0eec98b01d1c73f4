/** The config file: readable by its owner only, never half-written, and where it is found. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { isAbsolute } from "node:path";
import { expect, test } from "vitest";
import { describeProcess } from "../../src/main/process-context.ts";
import { createHome, type Home, type ProcessOptions } from "../support/run-ents.ts";
import { FULL, isDue, runs } from "../support/extent.ts";
import { startService } from "../support/scripted-service.ts";
import { AS_ROOT, asUser, canBeDenied, canBeNobody, NOBODY } from "../support/root.ts";
import { POWER, TOKEN } from "./envelopes.ts";
import { HAS_SIGNALS, HAS_XDG, shownMode } from "../support/platform.ts";

const LOGIN = ["login", "--no-verify", "--base-url", "https://v4.example.org"];

const configOf = (home: Home) => home.path("config/config.json");
const modeOf = (path: string) => statSync(path).mode & 0o777;

test.concurrent("the file has mode 0600 in a folder of 0700, and login prints its path", async () => {
  const home = createHome();
  const { code, stdout, stderr } = await home.run(LOGIN, { stdin: TOKEN });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain(configOf(home));
  expect([modeOf(home.configFolder), modeOf(configOf(home))]).toEqual([shownMode(0o700), shownMode(0o600)]);
});

test.concurrent("a file with a wider mode becomes private; an existing folder keeps its mode", async () => {
  const home = createHome();
  mkdirSync(home.configFolder, { mode: 0o755 });
  writeFileSync(configOf(home), "{}", { mode: 0o644 });
  expect(await home.run(LOGIN, { stdin: TOKEN })).toMatchObject({ code: 0 });
  expect([modeOf(home.configFolder), modeOf(configOf(home))]).toEqual([shownMode(0o755), shownMode(0o600)]);
});

test.skipIf(!canBeDenied).concurrent.for(runs(["folder"], ["file", "folder"]))(
  "a read-only config %s is unchanged: exit 6",
  async (which) => {
    const home = createHome();
    mkdirSync(home.configFolder);
    writeFileSync(configOf(home), "{}");
    if (AS_ROOT) for (const path of [home.configFolder, configOf(home)]) chownSync(path, NOBODY.uid, NOBODY.gid);
    chmodSync(configOf(home), which === "file" ? 0o400 : 0o600);
    chmodSync(home.configFolder, which === "file" ? 0o700 : 0o500);
    const { code, stderr } = await home.spawn(LOGIN, { ...asUser, stdin: TOKEN });
    const modes = [modeOf(home.configFolder), modeOf(configOf(home))];
    // The tests' cleanup must be able to delete the folder.
    chmodSync(home.configFolder, 0o700);
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining(configOf(home)) as string });
    expect(modes).toEqual(which === "file" ? [0o700, 0o400] : [0o500, 0o600]);
    expect(readFileSync(configOf(home), "utf8")).toBe("{}");
  },
);

test.concurrent("a login that cannot check the token says that it is not stored, and how to store it", async () => {
  const home = createHome();
  const run = await home.run(["login", "--base-url", "http://127.0.0.1:1", "--retries", "0"], { stdin: TOKEN });
  expect(run).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/cannot reach .*\n.*\n {6}the token was not stored; .*--no-verify\n$/) as string,
  });
  expect(existsSync(configOf(home))).toBe(false);
});

test.concurrent("simultaneous logins lose nothing, and leave no lock", async () => {
  const home = createHome();
  const origins = Array.from({ length: runs(3, 6) }, (_, index) => `https://v4-${index}.example.org`);
  const ended = await Promise.all(
    origins.map((url) => home.spawn(["login", "--no-verify", "--base-url", url], { stdin: TOKEN })),
  );
  expect(ended.map(({ code }) => code)).toEqual(origins.map(() => 0));
  const { tokens } = JSON.parse(readFileSync(configOf(home), "utf8")) as { tokens: object };
  expect(Object.keys(tokens).toSorted()).toEqual(origins);
  expect(readdirSync(home.configFolder)).toEqual(["config.json"]);
});

test.concurrent("the lock of a killed ents is taken over", async () => {
  const home = createHome();
  mkdirSync(home.configFolder);
  const ended = { ...describeProcess().identity, pid: spawnSync(process.execPath, ["-v"]).pid };
  writeFileSync(`${configOf(home)}.lock`, JSON.stringify(ended));
  expect(await home.run(LOGIN, { stdin: TOKEN })).toMatchObject({ code: 0 });
  expect(readdirSync(home.configFolder)).toEqual(["config.json"]);
});

test.concurrent("a relative ENTS_CONFIG_DIR is relative to the working directory", async () => {
  const home = createHome();
  const env = { ENTS_CONFIG_DIR: "kept/here" };
  expect(await home.run(["config", "path"], { env })).toMatchObject({
    stdout: `${home.path("kept/here/config.json")}\n`,
  });
  expect(await home.run(LOGIN, { env, stdin: TOKEN })).toMatchObject({ code: 0 });
  expect(modeOf(home.path("kept/here"))).toBe(shownMode(0o700));
});

test.concurrent("only the first line of standard input is the token, without spaces around it", async () => {
  const home = createHome();
  expect(await home.run(LOGIN, { stdin: `  ${TOKEN} \r\nmore\n` })).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(configOf(home), "utf8"))).toMatchObject({
    tokens: { "https://v4.example.org": TOKEN },
  });
});

test.concurrent("fields of a newer ents stay in the file", async () => {
  const home = createHome();
  mkdirSync(home.configFolder);
  writeFileSync(configOf(home), JSON.stringify({ tokens: {}, config: { colour: "green" }, profiles: { work: 1 } }));
  expect(await home.run(["config", "set", "base-url", "https://v4.example.org"])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(configOf(home), "utf8"))).toEqual({
    tokens: {},
    config: { colour: "green", "base-url": "https://v4.example.org" },
    profiles: { work: 1 },
  });
});

const CORRUPT: readonly [name: string, text: string][] = [
  ["cut short", '{"tokens": {"https'],
  ["empty", ""],
  ["of another shape", '{"tokens": ["a"]}'],
  ["no object", "[]"],
  ["binary", "\u0000\u0001"],
];

test.concurrent.for(CORRUPT)("a corrupt file (%s) is named, exit 2, and unchanged", async ([, text]) => {
  const home = createHome();
  mkdirSync(home.configFolder);
  writeFileSync(configOf(home), text);
  for (const args of [LOGIN, ["config", "set", "base-url", "https://a.example"], ["logout"]]) {
    const { code, stderr } = await home.run(args, { stdin: TOKEN });
    expect({ args, code, stderr }).toEqual({
      args,
      code: 2,
      stderr: expect.stringContaining(configOf(home)) as string,
    });
  }
  expect(readFileSync(configOf(home), "utf8")).toBe(text);
});

test
  .skipIf(!canBeDenied)
  .concurrent("with a read-only config folder, stored settings are used, and nothing is changed", async () => {
    const service = await startService(() => POWER);
    const home = createHome();
    await home.run(["login", "--no-verify", "--base-url", service.url], { stdin: TOKEN });
    if (AS_ROOT) for (const path of [home.configFolder, configOf(home)]) chownSync(path, NOBODY.uid, NOBODY.gid);
    chmodSync(configOf(home), 0o400);
    chmodSync(home.configFolder, 0o500);
    try {
      const before = readFileSync(configOf(home));
      const options = { ...asUser, env: { ENTS_BASE_URL: service.url } };
      expect(await home.spawn(["network", "NEM", "-m", "power", "--last", "1d"], options)).toMatchObject({
        code: 0,
        stderr: "",
      });
      expect(readFileSync(configOf(home))).toEqual(before);
      expect([modeOf(home.configFolder), modeOf(configOf(home))]).toEqual([0o500, 0o400]);
    } finally {
      // Without write permission, cleanup could not delete it.
      chmodSync(home.configFolder, 0o700);
    }
  });

test.skipIf(!FULL || !isDue(canBeNobody, "root"))(
  "changing somebody else's config folder is exit 6 (needs root, to be another user)",
  async () => {
    const home = createHome();
    mkdirSync(home.configFolder);
    writeFileSync(configOf(home), "{}", { mode: 0o644 });
    for (const args of [LOGIN, ["config", "set", "base-url", "https://a.example"]]) {
      const { code, stderr } = await home.spawn(args, { ...asUser, stdin: TOKEN });
      expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining(configOf(home)) as string });
    }
    expect(readFileSync(configOf(home), "utf8")).toBe("{}");
  },
);

test
  .skipIf(!HAS_SIGNALS)
  .concurrent(
    "Ctrl-C ends a fetch with a stored token like any other: reading the store adds no signal handler",
    async () => {
      const service = await startService(() => ({ instead: "stall" }));
      const home = createHome();
      await home.run(["login", "--no-verify", "--base-url", service.url], { stdin: TOKEN });
      const { child, finished } = home.start(["network", "NEM", "-m", "power"], {
        env: { ENTS_BASE_URL: service.url },
      });
      await Promise.race([service.received(1), finished]);
      child.kill("SIGINT");
      expect(await finished).toMatchObject({ code: 130, signal: null });
    },
  );

test.concurrent("a config folder that cannot be created is exit 6; other commands still work", async () => {
  const home = createHome();
  writeFileSync(home.path("file"), "");
  const env = { ENTS_CONFIG_DIR: home.path("file/config") };
  const { code, stderr } = await home.run(LOGIN, { env, stdin: TOKEN });
  expect({ code, stderr }).toMatchObject({ code: 6, stderr: expect.stringContaining("ENTS_CONFIG_DIR") as string });
  expect(stderr).not.toContain(TOKEN);
  expect(
    await home.run(
      ["network", "NEM", "-m", "power", "-i", "1d", "-s", "2025-01-01", "-e", "2025-01-01", "--sandbox", "-q"],
      { env },
    ),
  ).toMatchObject({ code: 0, stderr: "" });
});

test.skipIf(!HAS_XDG).concurrent.for(runs(["xdg"], ["xdg", undefined]))(
  "without ENTS_CONFIG_DIR: the platform's folder, under ents (%s)",
  async (xdg) => {
    const home = createHome();
    const env = { ENTS_CONFIG_DIR: undefined, XDG_CONFIG_HOME: xdg && home.path(xdg) };
    expect(await home.spawn(["config", "path"], { env })).toMatchObject({
      stdout: expect.stringMatching(`^${home.path(xdg ?? "")}.*/ents/config.json\n$`) as string,
    });
  },
);

const RELATIVE: readonly [env: Record<string, string>, isIn: (path: string, home: Home) => boolean][] = [
  [{ HOME: "" }, (path, home) => !path.startsWith(home.folder)],
  [{ HOME: "." }, (path, home) => !path.startsWith(home.folder)],
  [
    { XDG_CONFIG_HOME: "relative", XDG_CACHE_HOME: "relative" },
    (path, home) => !path.startsWith(home.path("relative")),
  ],
  [{ XDG_CONFIG_HOME: "" }, (path, home) => path.startsWith(home.path(".config")) || process.platform === "darwin"],
];

test.concurrent.for(runs(RELATIVE.slice(0, 3), RELATIVE))(
  "user folders that are empty or relative count as unset; the working directory is never used (%j)",
  async ([own, isIn]) => {
    const home = createHome();
    const env = { ENTS_CONFIG_DIR: undefined, ENTS_CACHE_DIR: undefined, ...own };
    const { stdout } = await home.spawn(["config", "path"], { env });
    expect([stdout, isAbsolute(stdout), isIn(stdout, home)]).toEqual([stdout, true, true]);
    expect(existsSync(home.path("relative"))).toBe(false);
  },
);

test.skipIf(!HAS_XDG).concurrent("a home that does not exist is not made", async () => {
  const home = createHome();
  const env = { ENTS_CONFIG_DIR: undefined, ENTS_CACHE_DIR: undefined, HOME: home.path("none") };
  const args = ["network", "NEM", "-m", "power", "-i", "1d", "-s", "2025-01-01", "-e", "2025-01-02", "--sandbox", "-q"];
  expect(await home.spawn(args, { env })).toMatchObject({ code: 0, stderr: "" });
  expect(await home.spawn(["login", "--no-verify"], { env, stdin: TOKEN })).toMatchObject({
    code: 6,
    stderr: "ents: no home directory for the config file\n      set ENTS_CONFIG_DIR to a directory\n",
  });
  expect(await home.spawn(["skill", "install"], { env })).toMatchObject({
    code: 2,
    stderr: "ents: there is no home directory\n      use --dir with a folder of skills\n",
  });
  expect(existsSync(home.path("none"))).toBe(false);
});

test
  .skipIf(!isDue(canBeNobody, "root"))
  .concurrent(
    "a config file that cannot be read is a note where the environment has the token and the address (needs root)",
    async () => {
      const service = await startService(() => POWER);
      const home = createHome();
      expect(await home.run(["config", "set", "rate", "7"])).toMatchObject({ code: 0 });
      chmodSync(home.configFolder, 0o700);
      const fetch = (env: Record<string, string>) =>
        home.spawn(["network", "NEM", "-m", "power", "--last", "1d"], { user: NOBODY, env });
      const path = home.path("config/config.json");
      expect(await fetch({ ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url })).toMatchObject({
        code: 0,
        stderr: `ents: note: cannot read the config file ${path}: permission denied; using the token and the address of the environment\n`,
      });
      expect(await fetch({ ENTS_TOKEN: TOKEN })).toMatchObject({
        code: 6,
        stderr: expect.stringContaining("ENTS_CONFIG_DIR") as string,
      });
    },
  );

test
  .skipIf(!isDue(AS_ROOT, "root"))
  .concurrent("another user's config file is never read (needs root, to give it away)", async () => {
    const service = await startService(() => POWER);
    const home = createHome();
    mkdirSync(home.configFolder);
    writeFileSync(configOf(home), JSON.stringify({ config: { "base-url": service.url } }));
    chownSync(configOf(home), NOBODY.uid, NOBODY.gid);
    for (const args of [["network", "NEM", "-m", "power"], ["config", "get", "base-url"], LOGIN])
      expect(await home.run(args, { stdin: TOKEN, env: { ENTS_TOKEN: TOKEN } })).toMatchObject({
        code: 6,
        stdout: "",
        stderr: `ents: the config file ${configOf(home)} belongs to another user, so it is not read\n      make it your own, or set ENTS_CONFIG_DIR to a directory of your own\n`,
      });
    expect(service.requests).toEqual([]);
  });

const HOMELESS: ProcessOptions = {
  env: { ENTS_CONFIG_DIR: undefined, HOME: undefined },
  user: { uid: 54321, gid: 54321 },
};

test.skipIf(!FULL || !isDue(canBeNobody, "root"))(
  "a user without any home has nowhere to store a token (needs root, to be such a user)",
  async () => {
    expect(await createHome().spawn(LOGIN, { ...HOMELESS, stdin: TOKEN })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("ENTS_CONFIG_DIR") as string,
    });
  },
);

test.skipIf(!FULL || !isDue(canBeNobody, "root"))(
  "a user without any home can fetch (needs root, to be such a user)",
  async () => {
    const sandbox = [
      "network",
      "NEM",
      "-m",
      "power",
      "-i",
      "1d",
      "-s",
      "2025-01-01",
      "-e",
      "2025-01-01",
      "--sandbox",
      "-q",
    ];
    expect(await createHome().spawn(sandbox, HOMELESS)).toMatchObject({ code: 0, stderr: "" });
    expect(await createHome().spawn(["facilities", "NEM", "-m", "power", "--unit-code", "A"], HOMELESS)).toMatchObject({
      code: 3,
    });
  },
);
