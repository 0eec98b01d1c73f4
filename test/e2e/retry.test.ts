/** Temporary failures are retried, at the pace that the service asks for, until the result is complete. */
import { expect, test } from "vitest";
import { reply, startRawServer } from "../support/raw-server.ts";
import { runEnts, type RunOptions } from "../support/run-ents.ts";
import { type Answer, type ScriptedService, startService } from "../support/scripted-service.ts";
import { type Clock, createVirtualClock } from "../support/virtual-clock.ts";
import { POWER, refusal, TOKEN } from "./envelopes.ts";

const ROWS =
  "timestamp,network,metric,unit,value\n2025-01-01T00:00:00+10:00,NEM,power,MW,20380.1976\n2025-01-01T01:00:00+10:00,NEM,power,MW,19727.6194\n";

const FETCH = ["network", "NEM", "-m", "power", "--last", "1d"];

function fetchFrom({ url }: ScriptedService, args: readonly string[] = [], options: RunOptions = {}) {
  return runEnts([...FETCH, ...args], { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: url }, ...options });
}

const REALLY = { clock: "real" } as const;

const PASSING: readonly [name: string, answer: Answer][] = [
  ["408", refusal(408, "Request timeout")],
  ["500", refusal(500, "Error executing query")],
  ["502 with a page", { status: 502, body: "<html>Bad gateway</html>" }],
  ["503 with nothing", { status: 503 }],
  ["504", { status: 504, body: "" }],
  ["529", { status: 529, body: "" }],
  ["a reset connection", { instead: "reset" }],
  ["a body cut short", { ...POWER, end: "hang up" }],
  ["a body cut before its first byte", { ...POWER, end: "hang up", bodyBytes: 0 }],
  ["a gzipped body cut short", { ...POWER, gzip: true, end: "hang up" }],
  ["a chunked body cut short", { ...POWER, chunked: true, end: "hang up" }],
  ["a gzipped and chunked body cut short", { ...POWER, gzip: true, chunked: true, end: "hang up" }],
  ["a page with HTTP 200", { body: "<html>Back in a minute</html>" }],
  ["JSON that ends early, whole for HTTP", { body: JSON.stringify(POWER.body).slice(0, 200) }],
];

test.concurrent.for(PASSING)("%s, then the data", async ([, answer]) => {
  const service = await startService([answer, POWER]);
  expect(await fetchFrom(service, ["--retries", "1"])).toEqual({ code: 0, signal: null, stdout: ROWS, stderr: "" });
  expect(service.requests.map(({ url }) => url)).toEqual(
    Array(2).fill(expect.stringMatching(/^\/v4\/data\/network\/NEM\?metrics=power&date_start=[^&]*$/)),
  );
});

test.concurrent("responses before the final one are passed over", async () => {
  const body = JSON.stringify(POWER.body);
  const heads = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  const service = await startRawServer(
    reply(`${heads}HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
  const run = await runEnts([...FETCH, "--retries", "0"], { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url } });
  expect(run).toEqual({ code: 0, signal: null, stdout: ROWS, stderr: "" });
});

test.concurrent("attempts without a response and broken answers count together", async () => {
  const early = { body: JSON.stringify(POWER.body).slice(0, 200) };
  const service = await startService([{ status: 503 }, { status: 503 }, early, early, early, POWER]);
  expect(await fetchFrom(service, ["--retries", "3"])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("after 4 attempts") as string,
  });
  expect(service.requests).toHaveLength(4);
});

test.concurrent("Retry-After in seconds is waited for", async () => {
  const service = await startService([refusal(429, "Slow down", { "retry-after": "1" }), POWER]);
  expect(await fetchFrom(service, [], REALLY)).toMatchObject({ code: 0, stdout: ROWS, stderr: "" });
  expect(waitBetween(service)).toBeGreaterThanOrEqual(990);
});

test.concurrent("Retry-After as a date is waited for", async () => {
  const at = Math.ceil(Date.now() / 1000) * 1000 + 2000;
  const service = await startService([refusal(503, "Back soon", { "retry-after": new Date(at).toUTCString() }), POWER]);
  expect(await fetchFrom(service, [], REALLY)).toMatchObject({ code: 0, stdout: ROWS, stderr: "" });
  expect(Date.now()).toBeGreaterThanOrEqual(at);
});

test.concurrent.for([
  ["a day", "86400", /again after 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ, as the service asks$/m],
  ["a million million years", "9".repeat(20), /try again later$/m],
] as const)("Retry-After of %s is not waited for, but told", async ([, seconds, says]) => {
  const service = await startService([refusal(429, "Slow down", { "retry-after": seconds }), POWER]);
  expect(await fetchFrom(service)).toMatchObject({
    code: 5,
    stdout: "",
    stderr: expect.stringMatching(says) as string,
  });
  expect(service.requests).toHaveLength(1);
});

test.concurrent("Retry-After as a date counts from the Date of the answer, whatever this machine's clock says", async () => {
  const date = (seconds: number) => new Date(Date.UTC(2031, 0, 1, 0, 0, seconds)).toUTCString();
  const service = await startService([refusal(429, "Slow down", { date: date(0), "retry-after": date(3) }), POWER]);
  expect(await listWaits(service)).toEqual([3000]);
});

test.concurrent.for(["RateLimit-Reset", "X-RateLimit-Reset"])(
  "%s of a 429 is waited for where there is no Retry-After",
  async (name) => {
    const answers = [
      refusal(429, "Slow down", { [name]: "4" }),
      refusal(429, "Slow down", { [name]: "4", "retry-after": "2" }),
      POWER,
    ];
    expect(await listWaits(await startService(answers))).toEqual([4000, 2000]);
  },
);

test.concurrent("a 429 tells which limit it was, and where there are higher ones", async () => {
  const body = {
    error: "rate_limited",
    reason: "day",
    retry_after_seconds: 40_000,
    limits: { day: 500 },
    upgrade_url: "https://x.example/plans",
  };
  const service = await startService([{ status: 429, headers: { "retry-after": "40000" }, body }]);
  const run = await fetchFrom(service);
  expect(run).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(
      "(HTTP 429): rate_limited; reason: day (500 requests); for higher limits, see https://x.example/plans\n",
    ) as string,
  });
});

/** The waits in milliseconds between the requests of a run that succeeds. */
async function listWaits(service: ScriptedService): Promise<number[]> {
  const waits: number[] = [];
  // It stands still but for waits, however busy the machine is.
  const began = Date.now();
  const virtual = createVirtualClock(0, () => began);
  const clock: Clock = {
    ...virtual,
    sleep: (ms, signal) => {
      waits.push(ms);
      return virtual.sleep(ms, signal);
    },
  };
  expect(await fetchFrom(service, ["--rate", "1000"], { clock })).toMatchObject({ code: 0, stdout: ROWS });
  return waits;
}

test.concurrent("five attempts by default, and -v prints each", async () => {
  const service = await startService(() => refusal(503, "Closed", { "retry-after": "0" }));
  const { code, stderr } = await fetchFrom(service, ["-v"]);
  expect(code).toBe(5);
  expect(service.requests).toHaveLength(5);
  expect(stderr.match(/GET http/g)).toHaveLength(5);
  expect(stderr.match(/the service is unavailable \(HTTP 503\); retrying in 0 s \(try [2-5] of 5\)/g)).toHaveLength(4);
  expect(stderr).toContain(
    "ents: the service is unavailable (HTTP 503) after 5 attempts: Closed\n      try again later\n",
  );
});

test.concurrent("a result is complete after several kinds of failures", async () => {
  const service = await startService([
    { instead: "reset" },
    { ...POWER, gzip: true, end: "hang up" },
    refusal(500, "Oops"),
    { ...POWER, gzip: true },
  ]);
  expect(await fetchFrom(service, ["--retries", "3"])).toEqual({ code: 0, signal: null, stdout: ROWS, stderr: "" });
});

function waitBetween({ requests: [first, second] }: ScriptedService): number {
  return (second?.at ?? Number.NaN) - (first?.at ?? Number.NaN);
}
