/** `--max-body` limits a response, both compressed and decompressed; a message shows at most 2 KB of it. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Pool } from "undici";
import { expect, test } from "vitest";
import { exchange } from "../../src/source/exchange.ts";
import { connect } from "../../src/index.ts";
import { FULL, LONG, some } from "../support/extent.ts";
import { NO_NETWORK } from "../support/no-network.ts";
import { createRandom } from "../support/random.ts";
import { startRawServer } from "../support/raw-server.ts";
import { createHome, runEnts } from "../support/run-ents.ts";
import { type Answer, startService } from "../support/scripted-service.ts";
import { envelope, HOUR, POWER, refusal, TOKEN } from "./envelopes.ts";
import { createHomeWithFile, expectError, expectUntouched } from "./old-file.ts";

const FETCH = ["network", "NEM", "-m", "power", "--last", "1d", "--retries", "1"];
const MB = 1_000_000;
const JSON_TYPE = { "content-type": "application/json" };

const packed = (bytes: Buffer): Answer => ({ body: bytes, headers: { ...JSON_TYPE, "content-encoding": "gzip" } });
const bomb = gzipSync(Buffer.alloc(10 * MB, "1"));
/** The last four bytes of gzip claim the decompressed length. */
const liar = Buffer.concat([bomb.subarray(0, -4), Buffer.alloc(4)]);
const big = JSON.stringify(envelope([{ series: [{ labels: { fueltech: "x".repeat(3 * MB) }, points: HOUR }] }]));

const TOO_LARGE: readonly [name: string, answer: Answer][] = [
  ["a body", { body: big, headers: JSON_TYPE }],
  ["a chunked body", { body: big, chunked: true, headers: JSON_TYPE }],
  ["a gzipped body, unpacked", packed(bomb)],
  ["a gzipped body that says it is short", packed(liar)],
  ["a gzipped body of two parts", packed(Buffer.concat([bomb, gzipSync("x")]))],
];

test.concurrent.for(TOO_LARGE)("%s past --max-body is exit 4, and not retried", async ([, answer]) => {
  const service = await startService(() => answer);
  const home = createHomeWithFile();
  const run = await home.run([...FETCH, "--max-body", "2MB", "-o", "old.csv"], { env: envFor(service.url) });
  expectError(run, 4, /the response is larger than 2MB\n.*--max-body/);
  expectUntouched(home);
  expect(service.requests).toHaveLength(1);
  const client = connect({ token: TOKEN, baseUrl: service.url, maxBody: 2 * MB, retries: 1 });
  await expect(client.getJson("/v4")).rejects.toThrow("larger than 2MB");
  await client.close();
});

test.concurrent("a body of exactly --max-body is accepted, gzipped or not", async () => {
  const size = Buffer.byteLength(JSON.stringify(POWER.body));
  for (const gzip of [true, false]) {
    const service = await startService(() => ({ ...POWER, gzip }));
    const fetch = (limit: number) => runEnts([...FETCH, "--max-body", `${limit}B`], { env: envFor(service.url) });
    expect(await fetch(size)).toMatchObject({ code: 0, stderr: "" });
    expect(await fetch(size - 1)).toMatchObject({ code: 4 });
  }
});

test.concurrent.for([
  ["--max-window 1d", 4],
  ["--max-window 1d --cache 1d", 4],
  ["--max-window 1d -o out.csv", 4],
  ["--max-window 4d -o out.csv", 1],
  ["--max-window 1d -o out.csv --no-resume", 4],
  ["--max-window 1d -o out.csv -g fueltech --pivot fueltech", 4],
  ["--max-window 1d -o out.csv --update", 4],
] as const)("the memory of large responses is used again, and no row is lost: %s", async ([flags, windows]) => {
  const service = await startService(({ url }) => {
    const day = new URL(url, "http://service").searchParams.get("date_start")?.slice(0, 10) ?? "";
    const points = HOUR.map(([timestamp, value]) => [timestamp.replace("2025-01-01", day), value] as const);
    // So large, even when compressed, that its memory is its own.
    const padding = Array.from({ length: 10_000 }, createRandom(1)).join();
    return { body: { ...envelope([{ series: [{ labels: { fueltech: "wind" }, points }] }]), padding }, gzip: true };
  });
  const home = createHome();
  const window = ["-i", "1h", "-s", "2025-01-01", "-e", "2025-01-04", "-f", "csv"];
  const { code, stdout, stderr } = await home.run(["network", "NEM", "-m", "power", ...window, ...flags.split(" ")], {
    env: envFor(service.url),
  });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  const text = flags.includes("-o") ? readFileSync(home.path("out.csv"), "utf8") : stdout;
  expect(text.match(/20380\.1976/g)).toHaveLength(windows);
});

test.concurrent("the length at the end of a gzipped body is not trusted: of two parts, false, or truncated", async () => {
  const body = Buffer.from(JSON.stringify(POWER.body));
  const parts = Buffer.concat([gzipSync(body.subarray(0, 100)), gzipSync(body.subarray(100))]);
  const service = await startService(() => packed(parts));
  expect(await runEnts([...FETCH, "--max-body", "2KB"], { env: envFor(service.url) })).toMatchObject({
    code: 0,
    stderr: "",
  });

  const noise = gzipSync(JSON.stringify({ data: [], noise: makeNoise(200_000) }));
  // Truncated where the last four bytes would claim a length beyond the limit.
  const end = Array.from({ length: 1000 }, (_, index) => 50_000 + index).find(
    (at) => noise.readUInt32LE(at - 4) > 2 ** 31,
  );
  const cut = await startService(() => packed(noise.subarray(0, end)));
  const run = await runEnts([...FETCH, "--max-body", "1MB"], { env: envFor(cut.url) });
  expectError(run, 5, /incomplete after 2 attempts/);
});

test.concurrent("an endless refusal and an endless body end at their limits", async () => {
  const home = createHome();
  for (const [status, code] of [
    ["401 Unauthorized", 3],
    ["200 OK", 4],
  ] as const) {
    const service = await startRawServer((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(`10000\r\n${" ".repeat(65_536)}\r\n`));
      };
      socket.once("data", () => {
        socket.write(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\n`);
        socket.on("drain", pour);
        pour();
      });
    });
    expect(await home.run([...FETCH, "--max-body", "5MB"], { env: envFor(service.url) })).toMatchObject({
      code,
      stdout: "",
    });
  }
});

test.runIf(FULL)("a gzip bomb beyond the limit takes little memory", async () => {
  // Ten parts: concatenated gzip decompresses to all of them.
  const part = gzipSync(Buffer.alloc(100 * MB));
  const service = await startService(() => packed(Buffer.concat(Array.from({ length: 10 }, () => part))));
  const { code, stderr, peak } = await measurePeak([...FETCH, "--max-body", "900MB"], service.url);
  expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining("larger than 900MB") as string });
  expect(peak).toBeLessThan(600_000);
});

test.runIf(FULL).each(["--profile week --per month", "--duration"])(
  "%s of a year keeps doubles, not objects",
  async (flags) => {
    const year = "market NEM -m price -g region -i 5m -s 2024-01-01 -e 2024-12-31 --sandbox -q -f csv".split(" ");
    const run = await createHome().spawn([...year, ...flags.split(" ")], {
      env: { NODE_OPTIONS: `${NO_NETWORK} --max-old-space-size=40` },
    });
    expect({ code: run.code, rows: run.stdout.split("\n").length > 100_000 }).toEqual({ code: 0, rows: true });
  },
);

/** Runs the binary; `peak` is its peak memory in KiB. */
async function measurePeak(args: readonly string[], url: string) {
  const script = `process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS + "\\n"))`;
  const env = { ...envFor(url), NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
  const run = await createHome().spawn(args, { env });
  const [, peak] = /peak (\d+)/.exec(run.stderr) ?? [];
  expect(Number(peak)).toBeGreaterThan(0);
  return { ...run, peak: Number(peak) };
}

test.concurrent.for(
  some(1, [
    ["characters in a text", () => `"${"a".repeat(10_000_002)}"`, /a string of more than 10,000,000 characters/],
    ["values", () => `[${"0,".repeat(5_000_001)}0]`, /more than 5,000,000 values/],
  ] as const),
)("more %s than memory can hold are exit 4", async ([, write, says]) => {
  const body = gzipSync(`{"success": true, "data": [], "more": ${write()}}`, { level: 1 });
  const service = await startService(() => packed(body));
  expectError(await runEnts(FETCH, { env: envFor(service.url) }), 4, says);
  expect(service.requests).toHaveLength(1);
});

test
  .runIf(FULL)
  .concurrent("a body in chunks of one byte is collected, as each would hold a whole read of its socket", async () => {
    const text = `${JSON.stringify(POWER.body)}${" ".repeat(100_000)}`;
    const large = "b".repeat(40_000);
    const service = await startRawServer((socket) => {
      const chunks = [...Array.from(text), large, ...Array.from(text)].map(
        (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
      );
      socket.once("data", () =>
        socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`),
      );
    });
    const dispatcher = new Pool(service.url);
    const { signal } = new AbortController();
    const limits = { timeoutMs: 100_000, monotonic: () => performance.now(), limitBody: () => MB };
    const { bytes } = await exchange(new URL(service.url), { dispatcher, headers: {}, signal, ...limits });
    await dispatcher.destroy();
    expect(bytes.toString()).toBe(`${text}${large}${text}`);
    expect(bytes.buffer.byteLength).toBeLessThan(300_000);
  });

test.runIf(LONG)("JSON too long for one V8 string is exit 4, without a stack", async () => {
  const unusual = Buffer.concat([Buffer.from('{"data": [1'), Buffer.alloc(600 * MB, " "), Buffer.from("]}")]);
  const service = await startService(() => packed(gzipSync(unusual, { level: 1 })));
  const run = await createHome().spawn(FETCH, { env: envFor(service.url) });
  expectError(run, 4, /600,000,013 bytes are too many to read in this form/);
  expect(service.requests).toHaveLength(1);
});

test.concurrent.for([
  ["--max-body 0B", /cannot read "0B" as a size/],
  ["--max-body 100", /cannot read "100" as a size; .*such as 500M, 500MB or 1GiB/],
  ["--max-body -1MB", /cannot read "-1MB" as a size/],
  ["--max-body 3GiB", /"3GiB" is too large; the maximum is 2GiB/],
] as const)("%s is exit 2", async ([flags, says]) => {
  const run = await runEnts([...FETCH, ...flags.split(" "), "--sandbox"]);
  expect(run.code).toBe(2);
  expectError(run, 2, says);
});

const LONG_TEXT = "lorem ipsum ".repeat(40_000);
const CHATTY: readonly [name: string, answer: Answer, code: number][] = [
  ["a refusal", refusal(400, LONG_TEXT), 4],
  ["a refused token", refusal(401, LONG_TEXT), 3],
  ["a failure", refusal(503, LONG_TEXT, { "retry-after": "0" }), 5],
  ["success: false", { body: { success: false, error: LONG_TEXT, data: [] } }, 4],
  ["a point without a timestamp", { body: envelope([{ series: [{ points: [[LONG_TEXT, 1]] }] }]) }, 4],
  ["two values of one key", { body: `{"data": [], "${LONG_TEXT}": 1, "${LONG_TEXT}": 2}` }, 4],
  [
    "a column of an odd type",
    { body: JSON.stringify(POWER.body).replace('"columns":{}', `"columns":{"${LONG_TEXT}":[]}`) },
    4,
  ],
];

test.concurrent.for(CHATTY)("of the text of %s, 2 KB are shown", async ([, answer, code]) => {
  const service = await startService(() => answer);
  const { stderr, ...run } = await runEnts([...FETCH, "-v", "-f", "csv"], { env: envFor(service.url) });
  expect(run).toMatchObject({ code, stdout: "" });
  const texts = stderr.split("\n").filter((line) => line.includes("lorem ipsum"));
  expect(texts).not.toEqual([]);
  for (const line of texts) {
    expect(line).toContain("... (cut)");
    expect(line.length).toBeLessThan(2300);
  }
});

test.concurrent("ten warnings of a kind, then their number", async () => {
  const metrics = Array.from({ length: 30 }, (_, index) => `metric_${index}`);
  const { code, stderr } = await runEnts(["network", "NEM", "-m", ...metrics, "--allow-unknown", "--dry-run"]);
  expect(code).toBe(0);
  const warnings = stderr.split("\n").filter((line) => line.startsWith("ents: warning: "));
  expect(warnings).toHaveLength(11);
  expect(warnings[9]).toContain("metric_9");
  expect(warnings[10]).toMatch(/\.\.\. and 20 more warnings like this: /);
});

function envFor(url: string) {
  return { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: url };
}

/** Hexadecimal digits that compress to no less than half. */
function makeNoise(digits: number): string {
  const random = createRandom(1);
  return Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");
}
