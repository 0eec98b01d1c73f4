/** Without a token: which requests are sent anyway and which are refused; a token is never left out. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { CUT, PIECES, type Play, QUERY, startWorldService, WHOLE } from "../faults/world-service.ts";
import { at, readRows, startLive } from "../follow/live-service.ts";
import { startRawServer } from "../support/raw-server.ts";
import { createHome, type Home, runEnts } from "../support/run-ents.ts";
import { type ScriptedService, startService } from "../support/scripted-service.ts";
import { createNights, FILE as NIGHTLY, QUERY as NIGHTS } from "../update/nights.ts";
import { POWER, refusal, TOKEN } from "./envelopes.ts";

const FETCH = ["network", "NEM", "-m", "power", "--last", "1d", "-f", "csv"];
const noteFor = (url: string) =>
  `ents: note: no token: asking anonymously, community limits; ents login --base-url ${url} for more\n`;
const listTokens = ({ requests }: ScriptedService) => requests.map(({ headers }) => headers.authorization);

/** A home with a token for a service, as login stores it. */
function createHomeWithToken(url: string): Home {
  const home = createHome();
  mkdirSync(home.configFolder);
  writeFileSync(`${home.configFolder}/config.json`, JSON.stringify({ config: {}, tokens: { [url]: TOKEN } }));
  return home;
}

test.concurrent.for(["network", "market"])(
  "%s is requested without a token, and without an authorization header",
  async (command) => {
    const service = await startService(() => POWER);
    const args = [command, "NEM", "-m", "power", "--last", "1d", "-f", "csv"];
    const options = { env: { ENTS_BASE_URL: service.url } };
    const { code, stdout, stderr } = await runEnts(args, options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: noteFor(service.url) });
    expect(stdout).toMatch(/^timestamp,network,metric,unit,value\n2025-01-01T00:00:00\+10:00,/);
    expect(
      service.requests.flatMap(({ headers }) => Object.keys(headers)).filter((name) => /auth|token|cookie/i.test(name)),
    ).toEqual([]);
    expect(await runEnts([...args, "-q"], { env: { ENTS_BASE_URL: service.url } })).toMatchObject({
      code: 0,
      stderr: "",
    });
  },
);

test.concurrent("the note for the public service has the plain command", async () => {
  const proxy = await startService(() => ({ status: 502 }));
  const { code, stderr } = await runEnts([...FETCH, "--retries", "0"], { env: { HTTPS_PROXY: proxy.url } });
  expect(code).toBe(5);
  expect(stderr).toMatch(/^ents: note: no token: asking anonymously, community limits; ents login for more\n/);
});

test.concurrent.for([
  [401, "no quota left"],
  [403, "Not authenticated"],
] as const)(
  "HTTP %i to a request without a token is exit 3 at once, and says what is missing",
  async ([status, said]) => {
    const service = await startService(() => refusal(status, said, { "retry-after": "0" }));
    const { code, stdout, stderr } = await runEnts(FETCH, { env: { ENTS_BASE_URL: service.url } });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toBe(
      `${noteFor(service.url)}ents: no token for ${service.url}, and the request was refused (HTTP ${status}): ${said}\n` +
        `      run 'ents login --base-url ${service.url}' or set ENTS_TOKEN\n      or use --sandbox: synthetic data, no account needed\n`,
    );
    expect(service.requests).toHaveLength(1);
  },
);

test.concurrent("a 401 halfway through an export is not retried either; the next run, with a token, resumes", async () => {
  const refused: Play = ({ piece, request }) =>
    piece === 3 && request.headers.authorization === undefined ? refusal(401, "Authentication failed") : undefined;
  const service = await startWorldService({ play: refused });
  const home = createHome();
  const run = (token?: string) =>
    home.run([...QUERY, ...CUT, "-o", "out.csv", "--concurrency", "1"], {
      env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: token },
    });
  const stopped = await run();
  expect(stopped).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("; 3 of 7 requests are done (kept in") as string,
  });
  expect(service.requests).toHaveLength(4);
  expect(await run(TOKEN)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("resuming: 3 of 7 requests") as string,
  });
  expect(service.requests).toHaveLength(PIECES + 1);
  const whole = await startWorldService();
  const { stdout } = await runEnts([...QUERY, ...WHOLE, "-f", "csv"], { env: { ENTS_BASE_URL: whole.url } });
  expect(readFileSync(home.path("out.csv"), "utf8")).toBe(stdout);
});

test.concurrent("other failures are retried", async () => {
  const service = await startService([refusal(503, "soon"), refusal(429, "slowly"), POWER]);
  expect(await runEnts(FETCH, { env: { ENTS_BASE_URL: service.url } })).toMatchObject({ code: 0 });
  expect(listTokens(service)).toEqual([undefined, undefined, undefined]);
});

test.concurrent.for([
  ["stored", (url: string) => createHomeWithToken(url), {}],
  ["set", () => createHome(), { ENTS_TOKEN: TOKEN }],
] as const)("a token that is %s and refused is never left out: every request has it", async ([, create, env]) => {
  // Refuses the token, but answers anonymous requests.
  const service = await startService(({ headers }) =>
    headers.authorization ? refusal(401, "Authentication failed") : POWER,
  );
  const run = await create(service.url).run(FETCH, { env: { ...env, ENTS_BASE_URL: service.url } });
  expect(run).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringMatching(/^ents: the token .* was refused \(HTTP 401\)/) as string,
  });
  expect(listTokens(service)).toEqual([`Bearer ${TOKEN}`]);
});

test.concurrent("one that cannot be sent is exit 3 before any request", async () => {
  const service = await startService(() => POWER);
  for (const token of ["two words", "new\nline"]) {
    const run = await runEnts(FETCH, { env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: token } });
    expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining("the token from ENTS_TOKEN") as string });
  }
  expect(service.requests).toEqual([]);
});

test.concurrent.for([
  ["facilities", ["facilities", "NEM", "-m", "power", "--facility-code", "BAYSW"]],
  ["units that are picked", ["facilities", "NEM", "-m", "power", "-r", "SA1"]],
  ["the list of facilities", ["list", "facilities"]],
  ["the account", ["whoami"]],
] as const)("%s: exit 3 without a connection", async ([, args]) => {
  const service = await startRawServer((socket) => socket.end());
  const run = await runEnts(args, { env: { ENTS_BASE_URL: service.url } });
  expect(run).toMatchObject({
    code: 3,
    stdout: "",
    stderr: expect.stringMatching(/^ents: no token for http:/) as string,
  });
  expect(service.connections).toBe(0);
});

test.concurrent("plain http to another machine is allowed if there is no token", async () => {
  const heads: string[] = [];
  const body = JSON.stringify(POWER.body);
  const proxy = await startRawServer((socket) => {
    socket.on("data", (data) => {
      heads.push(data.toString());
      if (heads.length === 1) socket.write("HTTP/1.1 200 OK\r\n\r\n");
      else socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
    });
  });
  const env = { ENTS_BASE_URL: "http://v4.example.org", HTTP_PROXY: proxy.url };
  expect(await runEnts(FETCH, { env })).toMatchObject({ code: 0, stderr: noteFor("http://v4.example.org") });
  expect(heads[1]).toMatch(/^GET \/v4\/data\/network\/NEM\?metrics=power&date_start=\S+ HTTP/);
  expect(heads.join("")).not.toMatch(/authorization/i);
  const withToken = await runEnts(FETCH, { env: { ...env, ENTS_TOKEN: TOKEN } });
  expect(withToken).toMatchObject({ code: 3, stderr: expect.stringContaining("http is not encrypted") as string });
  expect(proxy.connections).toBe(1);
});

test.concurrent("redirects to the same origin are followed, others are not", async () => {
  const other = await startService(() => POWER);
  const service = await startService(({ url }) => {
    if (url.startsWith("/elsewhere")) return POWER;
    const location = url.includes("WEM") ? `${other.url}/elsewhere` : "/elsewhere";
    return { status: 307, headers: { location } };
  });
  const env = { ENTS_BASE_URL: service.url };
  expect(await runEnts(FETCH, { env })).toMatchObject({ code: 0 });
  expect(await runEnts(["network", "WEM", "-m", "power"], { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("redirects to another origin") as string,
  });
  expect([listTokens(service), other.requests]).toEqual([[undefined, undefined, undefined], []]);
});

test.concurrent("--dry-run does not mention it, and sends nothing", async () => {
  const service = await startService(() => POWER);
  const { code, stderr } = await runEnts([...FETCH, "--dry-run"], { env: { ENTS_BASE_URL: service.url } });
  expect({ code, stderr, requests: service.requests }).toEqual({
    code: 0,
    stderr:
      "ents: note: 1 request, points unknown, less than 1 % of a community key's 500 requests a day; nothing was sent\n",
    requests: [],
  });
});

test.concurrent("--cache stores responses without a token separately", async () => {
  const service = await startWorldService();
  const home = createHome();
  const ask = async (token?: string) => {
    const before = service.requests.length;
    const run = await home.run([...QUERY, ...CUT, "--cache", "12h", "-q"], {
      env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: token },
    });
    return [run.code, service.requests.length - before];
  };
  expect([await ask(), await ask(), await ask(TOKEN), await ask(TOKEN), await ask()]).toEqual([
    [0, PIECES],
    [0, 0],
    [0, PIECES],
    [0, 0],
    [0, 0],
  ]);
});

test.concurrent("--update works, and mentions it once", async () => {
  const nights = await createNights([]);
  const { code, stderr } = await nights.home.run([...NIGHTS, "-o", NIGHTLY, "--update", "--rate", "1000"], {
    env: { ENTS_BASE_URL: nights.service.url },
    clock: { now: () => nights.world.now },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`${NIGHTLY}: `) as string });
  expect(stderr.split(noteFor(nights.service.url))).toHaveLength(2);
});

test.concurrent("--follow works, and continues after a refusal of a request that worked before", async () => {
  const play = ({ index }: { index: number }) => (index === 3 ? refusal(401, "Authentication failed") : undefined);
  const { run, service } = await startLive({ until: at(40), play });
  const { code, stdout, stderr } = await run(
    ["network", "NEM", "-m", "power", "-i", "5m", "--last", "20m", "--follow", "-f", "csv"],
    {
      env: { ENTS_TOKEN: undefined },
    },
  );
  expect(code).toBe(130);
  expect(stderr).toContain(noteFor(service.url));
  expect(stderr).toContain("no token for");
  expect(stderr).toContain("the service is back");
  expect(readRows(stdout).length).toBeGreaterThan(8);
  expect(new Set(listTokens(service))).toEqual(new Set([undefined]));
});
const clients: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
