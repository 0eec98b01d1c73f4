/** The token goes only to the origin that it was stored for, and never shows. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connect, EntsError } from "../../src/index.ts";
import { some } from "../support/extent.ts";
import { createHome, type Home, type Run, type RunOptions } from "../support/run-ents.ts";
import { type Answer, startService } from "../support/scripted-service.ts";
import { envelope, HOUR, POWER, refusal, TOKEN } from "./envelopes.ts";
import { HAS_SHELL } from "../support/platform.ts";

const FETCH = ["network", "NEM", "-m", "power"];

/** A home with a token for an origin, as login stores it. */
function createHomeWithToken(origin: string, token = TOKEN): Home {
  const home = createHome();
  mkdirSync(home.configFolder);
  writeFileSync(`${home.configFolder}/config.json`, JSON.stringify({ config: {}, tokens: { [origin]: token } }));
  return home;
}

test.concurrent("a stored token is sent to its origin, whatever the path of the base address", async () => {
  const service = await startService(() => POWER);
  const home = createHome();
  await home.run(["login", "--no-verify", "--base-url", `${service.url}/v4/`], { stdin: `${TOKEN}\n` });
  expect(await home.run([...FETCH, "--base-url", `${service.url}/other`])).toMatchObject({ code: 0 });
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
});

test.concurrent("a stored token is not sent to another origin", async () => {
  const [own, other] = [await startService(() => POWER), await startService(() => POWER)];
  const home = createHomeWithToken(own.url);
  const { code, stderr } = await home.run([...FETCH, "--base-url", other.url]);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("no token: asking anonymously") as string,
  });
  expect(await home.run([...FETCH, "--base-url", own.url.replace("127.0.0.1", "localhost")])).toMatchObject({
    code: 0,
  });
  const facilities = await home.run(["facilities", "NEM", "-m", "power", "--base-url", other.url]);
  expect(facilities).toMatchObject({ code: 3, stderr: expect.stringContaining(`no token for ${other.url}`) as string });
  const sent = [...own.requests, ...other.requests].map(({ headers }) => headers.authorization);
  expect(sent).toEqual([undefined, undefined]);
});

test
  .skipIf(!HAS_SHELL)
  .concurrent("login reads what PowerShell 5.1 writes into a file: UTF-16, with a mark", async () => {
    const home = createHome();
    writeFileSync(home.path("token.txt"), Buffer.from(`\ufeff${TOKEN}\r\n`, "utf16le"));
    expect(await home.shell("ents login --no-verify -q < token.txt")).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(home.path("config/config.json"), "utf8")).toContain(`"${TOKEN}"`);
  });

test.concurrent("two origins have one token each, and logout deletes one", async () => {
  const home = createHomeWithToken("https://one.example.org");
  await home.run(["login", "--no-verify", "--base-url", "https://two.example.org"], {
    stdin: "second-token-9876543210",
  });
  await home.run(["logout", "--base-url", "https://one.example.org/v4"]);
  const stored = JSON.parse(readFileSync(`${home.configFolder}/config.json`, "utf8")) as unknown;
  expect(stored).toEqual({ config: {}, tokens: { "https://two.example.org": "second-token-9876543210" } });
});

test.concurrent("logout says that ENTS_TOKEN is still used", async () => {
  const run = (env: Record<string, string | undefined>) =>
    createHomeWithToken("https://api.openelectricity.org.au").run(["logout"], { env });
  const note = "\n      ENTS_TOKEN is set and is still used\n";
  expect((await run({ ENTS_TOKEN: TOKEN })).stderr).toContain(note);
  expect((await run({ ENTS_TOKEN: undefined })).stderr).not.toContain(note);
});

/** A home whose token a command prints; the command counts its runs in `ran`. */
function createHomeWithCommand(
  baseUrl: string,
  command = HAS_SHELL ? "echo run >> ran; cat token; echo more" : "echo run>>ran& type token& echo more",
): Home {
  const home = createHome();
  mkdirSync(home.configFolder);
  writeFileSync(home.path("token"), `${TOKEN}\n`);
  const config = { "base-url": baseUrl, "token-command": command };
  writeFileSync(`${home.configFolder}/config.json`, JSON.stringify({ config, tokens: { [baseUrl]: "stored-token" } }));
  return home;
}

test.concurrent("the first line that the token-command prints is sent, once a run, and never shown or stored", async () => {
  const me = { body: JSON.stringify({ success: true, data: { id: "1", plan: "PRO" } }) };
  const service = await startService(({ url }) => (url.startsWith("/v4/me") ? me : POWER));
  const home = createHomeWithCommand(service.url);
  const runs = [await home.run([...FETCH, "-v"]), await home.run(["whoami"]), await home.run(["config", "list"])];
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(runs[1]?.stdout).toContain(`token    …${TOKEN.slice(-4)}  (from the token-command)\n`);
  const sent = service.requests.filter(({ url }) => !url.startsWith("/v4/plans"));
  expect(sent.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  expect(readFileSync(home.path("ran"), "utf8")).toMatch(/^(run\r?\n){2}$/);
  const config = readFileSync(`${home.configFolder}/config.json`, "utf8");
  expect(runs[0]!.stdout + runs[0]!.stderr + runs[1]!.stdout + config).not.toContain(TOKEN);
  expect(JSON.parse(config)).toMatchObject({
    plans: { [service.url]: "pro" },
    tokens: { [service.url]: "stored-token" },
  });
});

test.concurrent("the token-command is for the configured service alone, and not run where a variable has a token", async () => {
  const [own, other] = [await startService(() => POWER), await startService(() => POWER)];
  const home = createHomeWithCommand(own.url);
  expect(await home.run([...FETCH, "--base-url", other.url])).toMatchObject({ code: 0 });
  expect(await home.run(FETCH, { env: { ENTS_TOKEN: "token-of-the-environment" } })).toMatchObject({ code: 0 });
  expect(other.requests[0]?.headers.authorization).toBeUndefined();
  expect(own.requests[0]?.headers.authorization).toBe("Bearer token-of-the-environment");
  expect(existsSync(home.path("ran"))).toBe(false);
});

test.skipIf(!HAS_SHELL).concurrent.each([
  ["echo opened >&2; echo 'no such entry' >&2; exit 3", "the token-command failed with exit code 3: no such entry\n"],
  ["true", "the token from the token-command is empty\n"],
  ["echo two words", "the token from the token-command contains spaces"],
  ["cat", "the token from the token-command is empty\n"],
])("a token-command that gives no token is an error, and nothing is asked for: %s", async (command, message) => {
  const service = await startService(() => POWER);
  const run = await createHomeWithCommand(service.url, command).run(FETCH);
  expect(run).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining(message) as string });
  expect(service.requests).toEqual([]);
});

test.concurrent("login and logout say that the token-command comes first", async () => {
  const home = createHomeWithCommand("https://api.example.org");
  const { stderr } = await home.run(["login", "--no-verify"], { stdin: `${TOKEN}\n` });
  expect(stderr).toContain("token-command is set and comes first; 'ents config unset token-command' to use this token");
  expect((await home.run(["logout"])).stderr).toContain("\n      token-command is set and is still used\n");
});

test.concurrent("a redirect to another origin does not get it", async () => {
  const other = await startService(() => POWER);
  const service = await startService(() => ({
    status: 308,
    headers: { location: `${other.url}/v4/data/network/NEM?metrics=power` },
  }));
  const { code, stderr } = await createHome().run(FETCH, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url } });
  expect(code).toBe(4);
  expect(stderr).toContain(other.url);
  expect(other.requests).toEqual([]);
});

test.concurrent.for([
  "http://192.0.2.1",
  "http://api.example.org",
  "http://localhost.example.org",
  "http://127.0.0.1.example.org",
])("plain http to %s is refused before any connection", async (url) => {
  // A connection or a DNS lookup would fail the run.
  const run = await createHome().run([...FETCH, "--base-url", url], { env: { ENTS_TOKEN: TOKEN } });
  expect(run).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining("http is not encrypted") as string,
  });
});

test.concurrent("the environment overrides the store, and ENTS_TOKEN overrides OPENELECTRICITY_API_KEY", async () => {
  const service = await startService(() => POWER);
  const home = createHomeWithToken(service.url);
  const fetch = (env: RunOptions["env"]) => home.run(FETCH, { env: { ENTS_BASE_URL: service.url, ...env } });
  await fetch({ ENTS_TOKEN: "first", OPENELECTRICITY_API_KEY: "second" });
  await fetch({ OPENELECTRICITY_API_KEY: "second" });
  await fetch({ ENTS_TOKEN: "", OPENELECTRICITY_API_KEY: " " });
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer first",
    "Bearer second",
    `Bearer ${TOKEN}`,
  ]);
});

test.concurrent("the base address: flag, then environment, then config", async () => {
  const [flag, env, config] = [
    await startService(() => POWER),
    await startService(() => POWER),
    await startService(() => POWER),
  ];
  const home = createHome();
  expect(await home.run(["config", "set", "base-url", config.url])).toMatchObject({ code: 0 });
  const count = () => [flag, env, config].map(({ requests }) => requests.length);
  await home.run([...FETCH, "--base-url", flag.url], { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: env.url } });
  expect(count()).toEqual([1, 0, 0]);
  await home.run(FETCH, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: env.url } });
  expect(count()).toEqual([1, 1, 0]);
  await home.run(FETCH, { env: { ENTS_TOKEN: TOKEN } });
  expect(count()).toEqual([1, 1, 1]);
});
const LOUD: readonly [name: string, args: readonly string[], expectedCode: number][] = [
  ["a fetch", [...FETCH, "-f", "json", "-v"], 0],
  ["a dry run", [...FETCH, "--dry-run", "-f", "json", "-v"], 0],
  ["whoami", ["whoami", "-v"], 0],
  ["a refusal", ["network", "refuse", "-m", "power", "-v"], 3],
  ["a redirect", ["network", "redirect", "-m", "power", "-v"], 4],
  ["a reset", ["network", "reset", "-m", "power", "-v", "--retries", "1"], 5],
  ["a page", ["network", "page", "-m", "power", "-v", "--retries", "0"], 4],
  ["config", ["config", "list", "-v"], 0],
  ["a usage error", ["network", "NEM", "-v"], 2],
];

test.concurrent.for(LOUD)("it appears in no output of %s, even with -v", async ([, args, expectedCode]) => {
  const service = await startService(({ url }) => {
    if (url.includes("refuse")) return refusal(401, "Authentication failed");
    if (url.includes("redirect")) return { status: 302, headers: { location: "https://example.org/" } };
    if (url.includes("reset")) return { instead: "reset" };
    return url.includes("page") ? { body: "<html>" } : POWER;
  });
  const home = createHomeWithToken(service.url);
  const run = await home.run(args, { env: { ENTS_BASE_URL: service.url } });
  expect(run.code).toBe(expectedCode);
  expectHidden(run);
});

test.concurrent("a token that no header can hold is refused, and not shown", async () => {
  const run = await createHome().run(FETCH, { env: { ENTS_TOKEN: `${TOKEN}\nX-Other: 1` } });
  expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining("ENTS_TOKEN") as string });
  expectHidden(run);
});

const encoded = (each: (code: number) => string) => Array.from(TOKEN, (letter) => each(letter.charCodeAt(0))).join("");
const ECHOES: readonly [name: string, echo: string][] = [
  ["as it is", TOKEN],
  ["in capitals", TOKEN.toUpperCase()],
  ["URL-encoded", encoded((code) => `%${code.toString(16)}`)],
  ["escaped for JSON", encoded((code) => `\\u00${code.toString(16)}`)],
  ["escaped for HTML", encoded((code) => `&#${code};`)],
  ["across the cut", `${"x".repeat(2048 - TOKEN.length / 2)}${TOKEN}`],
  ["again and again", TOKEN.repeat(150)],
];

/** The service echoes a text wherever it can. */
const echoes = (echo: string): readonly [place: string, answer: Answer, code: number][] => [
  ["a refused token", refusal(401, `Bearer ${echo} is unknown`), 3],
  ["a refusal", refusal(400, `cannot read ${echo}`), 4],
  ["a refusal in plain text", { status: 400, body: `cannot read ${echo}` }, 4],
  ["invalid parameters", { status: 422, body: { detail: [{ loc: ["query", echo], msg: `not ${echo}` }] } }, 4],
  ["a failure", refusal(503, `no room for ${echo}`, { "retry-after": "0" }), 5],
  ["success: false", { body: { success: false, error: `for ${echo}`, data: [] } }, 4],
  ["text instead of JSON", { body: `hello ${echo}` }, 4],
  ["a redirect to another origin", { status: 302, headers: { location: `https://${echo}.example.org/?t=${echo}` } }, 4],
  ["a redirect to nowhere", { status: 302, headers: { location: `//${echo}:x${echo}` } }, 4],
  ["an encoding", { ...POWER, headers: { "content-encoding": echo } }, 4],
  ["a timestamp", { body: envelope([{ series: [{ points: [[echo, 1]] }] }]) }, 4],
  ["a key that comes twice", { body: `{"data": [], ${JSON.stringify(echo)}: 1, ${JSON.stringify(echo)}: 2}` }, 4],
  [
    "a label of an odd type",
    { body: JSON.stringify(POWER.body).replace('"columns":{}', `"columns":{${JSON.stringify(echo)}:[]}`) },
    4,
  ],
];

test.concurrent.for(ECHOES)("it is masked if the service echoes it %s", async ([, echo]) => {
  // A quick run tests all places only for the token as it is: all of a service's text passes one function.
  for (const [place, answer, code] of some(echo === TOKEN ? 13 : 3, echoes(echo))) {
    const service = await startService(() => answer);
    const home = createHomeWithToken(service.url);
    const run = await home.run([...FETCH, "-f", "csv", "-v", "--retries", "1"], {
      env: { ENTS_BASE_URL: service.url },
    });
    expect({ place, code: run.code, stdout: run.stdout }).toEqual({ place, code, stdout: "" });
    expectHidden(run, echo);
    const client = connect({ token: TOKEN, baseUrl: service.url, retries: 0 });
    const error = await client.getJson("/v4").catch((thrown: unknown) => thrown);
    if (error instanceof EntsError) expectHidden({ ...run, stderr: `${error.message} ${error.hint}` }, echo);
    await client.close();
  }
});

test.concurrent("it is masked in a warning about the data, and in the data", async () => {
  const points = (value: number) => [0, 1, 2, 3].map((hour) => [`2025-01-01T0${hour}:00:00+10:00`, value] as const);
  let requests = 0;
  const service = await startService(() => ({
    body: envelope([{ series: [{ labels: { fueltech: TOKEN }, points: points(requests++) }] }]),
  }));
  const home = createHomeWithToken(service.url);
  const args = [
    ...FETCH,
    "-i",
    "1h",
    "-s",
    "2025-01-01T00:00",
    "-e",
    "2025-01-01T03:00",
    "--max-window",
    "2h",
    "-f",
    "csv",
  ];
  const { code, stdout, stderr } = await home.run(args, { env: { ENTS_BASE_URL: service.url } });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/warning: two responses disagree on .*\*\*\*/) as string,
  });
  expect(stdout.match(/,\*\*\*,\d$/gm)).toHaveLength(4);
  expect(stdout + stderr).not.toContain(TOKEN);
});

const SLASHED = "oe/3ZKx81mTq7+LwYd0PaBfE==";

test.concurrent.for([
  ["json", TOKEN, false],
  ["json", TOKEN, true],
  ["ndjson", TOKEN, true],
  ["csv", TOKEN, false],
  ["csv", SLASHED, false],
  ["tsv", TOKEN, true],
  ["html", TOKEN, false],
] as const)("it is masked in the data, as %s (token %s, compressed: %s)", async ([format, token, gzip]) => {
  const echo = `${token} ${token.replaceAll("/", "\\/")} ${encodeURIComponent(token)}`;
  const body = {
    ...envelope([{ series: [{ labels: { region: "ECHO" }, points: HOUR }] }]),
    version: "ECHO",
    more: ["ECHO"],
  };
  const service = await startService(() => ({ body: JSON.stringify(body).replaceAll("ECHO", echo), gzip }));
  const home = createHomeWithToken(service.url, token);
  const { code, stdout, stderr } = await home.run([...FETCH, "-f", format, "-v"], {
    env: { ENTS_BASE_URL: service.url },
  });
  expect({ code, marks: stdout.includes("*** *** ***") }).toEqual({ code: 0, marks: true });
  for (const part of [TOKEN.slice(-8), TOKEN.slice(0, 6), SLASHED.slice(3, 14)])
    expect(stdout + stderr).not.toContain(part);
});

test.concurrent("text that could be a word or number of the data is not masked", async () => {
  for (const token of ["20380.1976", "NSW1"]) {
    const service = await startService(() => ({
      body: envelope([{ series: [{ labels: { region: "NSW1" }, points: HOUR }] }]),
    }));
    const home = createHomeWithToken(service.url, token);
    const { stdout } = await home.run([...FETCH, "-f", "csv"], { env: { ENTS_BASE_URL: service.url } });
    expect(stdout).toContain("T00:00:00+10:00,NEM,power,MW,NSW1,20380.1976\n");
  }
});

test.concurrent("it is masked in the plan that whoami and login show", async () => {
  const service = await startService(() => ({ body: { data: { plan: `plan ${TOKEN}`, credits: { remaining: 1 } } } }));
  const home = createHomeWithToken(service.url);
  const whoami = await home.run(["whoami"], { env: { ENTS_BASE_URL: service.url } });
  const login = await home.run(["login"], { env: { ENTS_BASE_URL: service.url }, stdin: `${TOKEN}\n` });
  for (const run of [whoami, login]) {
    expect(run.code).toBe(0);
    expectHidden(run, TOKEN);
  }
});

/** Shows at most its last four characters. */
function expectHidden({ stdout, stderr }: Pick<Run, "stdout" | "stderr">, echo = TOKEN): void {
  for (const text of [stdout, stderr])
    for (const part of [TOKEN.slice(-5), TOKEN.slice(0, 6), echo.slice(-5)]) expect(text).not.toContain(part);
}
