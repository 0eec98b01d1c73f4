/** Situations of strangers' machines and services: contradictions, clocks, firewalls, encodings, variables. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";
import { type Answer, type Script, startService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { envelope, HOUR, type ItemSketch, POWER, refusal, TOKEN } from "./envelopes.ts";

const FETCH = ["network", "NEM", "-m", "power", "-i", "1h"];
const WINDOW = ["-s", "2025-01-01", "-e", "2025-01-01"];
const clockAt = (now: number) => ({ ...createVirtualClock(), now: () => now });

async function ask(
  script: Script,
  args: readonly string[],
  { env = {}, clock = clockAt(Date.parse("2025-01-05")) } = {},
) {
  const service = await startService(script);
  const home = createHome();
  const run = await home.run([...FETCH, "--base-url", service.url, "--rate", "1000", ...args], {
    env: { ENTS_TOKEN: TOKEN, ...env },
    clock,
  });
  return { ...run, requests: service.requests.length, home };
}

const answer = (...items: readonly ItemSketch[]): Answer => ({ body: envelope(items) });
const at = (hour: number, minute = 0) =>
  `2025-01-01T${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}:00+10:00`;

describe("points that contradict each other", () => {
  test("a timestamp twice is told once, with an example, and both points come out", async () => {
    const points = [
      [at(0), 1] as const,
      [at(1), 2] as const,
      [at(1), 2.5] as const,
      [at(2), 3] as const,
      [at(2), 3] as const,
    ];
    const labels = { region: "NSW1" };
    const { stderr, stdout, code } = await ask([answer({ series: [{ labels, points }] })], WINDOW);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `ents: warning: the service sent two values for power_NSW1 at ${at(1)} (2 and 2.5), and perhaps more; all are in the output\n`,
    });
    expect(stdout.trimEnd().split("\n")).toHaveLength(6);
  });

  test("a series twice is told once, in an export of several requests too", async () => {
    const series = { labels: { region: "NSW1" }, points: HOUR };
    const twice = answer({ series: [series, series] });
    const args = [...WINDOW, "--max-window", "12h"];
    for (const more of [[], ["-o", "a.csv"], ["-o", "a.csv", "--update"]]) {
      const { stderr, code } = await ask(() => twice, [...args, ...more]);
      expect(code).toBe(0);
      expect(
        stderr.match(/the service sent the series power_NSW1 twice in one response; all are in the output/g),
      ).toHaveLength(1);
    }
  });

  test("in two TimeSeries of one metric as well; two series with labels of their own are fine", async () => {
    const [one, other] = ["NSW1", "QLD1"].map((region) => ({ series: [{ labels: { region }, points: HOUR }] }));
    expect((await ask([answer(one as ItemSketch, one as ItemSketch)], WINDOW)).stderr).toContain(
      "twice in one response",
    );
    expect((await ask([answer(one as ItemSketch, other as ItemSketch)], WINDOW)).stderr).toBe("");
  });

  test("intervals that overlap have no end, with a warning", async () => {
    const quarter = [0, 15, 30, 45].map((minute) => [at(0, minute), minute] as const);
    const points = [...quarter, ...[1, 2, 3].map((hour) => [at(hour), hour] as const)];
    const { stdout, stderr } = await ask(
      [answer({ series: [{ labels: { region: "NSW1" }, points }] })],
      [...WINDOW, "--interval-end"],
    );
    expect(
      stdout
        .split("\n")
        .slice(1, -1)
        .every((row) => row.split(",")[1] === ""),
    ).toBe(true);
    expect(stderr).toBe(
      `ents: warning: interval_end is empty: unknown interval, as power_NSW1 has points at ${at(0, 15)} and ${at(0, 30)}, closer than 1h\n`,
    );
  });

  test("a partial interval at an end has no known end; a day of 23 hours has one", async () => {
    const days = [
      "2025-10-03T05:00:00+10:00",
      "2025-10-04T00:00:00+10:00",
      "2025-10-05T00:00:00+10:00",
      "2025-10-06T00:00:00+11:00",
    ];
    const points = [...days, "2025-10-07T00:00:00+11:00", "2025-10-07T05:00:00+11:00"].map(
      (timestamp) => [timestamp, 1] as const,
    );
    const body = envelope([{ series: [{ labels: { region: "NSW1" }, points }] }]);
    for (const item of body["data"] as Record<string, unknown>[]) item["interval"] = "1d";
    const args = [
      "network",
      "NEM",
      "-m",
      "power",
      "-i",
      "1d",
      "-s",
      "2025-10-03",
      "-e",
      "2025-10-07",
      "--interval-end",
    ];
    const service = await startService([{ body }]);
    const run = await createHome().run([...args, "--base-url", service.url], { env: { ENTS_TOKEN: TOKEN } });
    const says = `interval_end is empty where intervals overlap: ${days[0]} and ${days[1]} are closer than 1d`;
    expect(run).toMatchObject({ code: 0, stderr: `ents: warning: ${says}\n` });
    const ends = run.stdout
      .split("\n")
      .slice(1, -1)
      .map((row) => row.split(",")[1]);
    expect(ends).toEqual([
      "",
      "2025-10-05T00:00:00+10:00",
      "2025-10-06T00:00:00+10:00",
      "2025-10-07T00:00:00+11:00",
      "",
      "",
    ]);
  });
});

describe("a clock that is years off", () => {
  const REAL = Date.parse("2026-11-26T08:40:00Z");
  const dated =
    (headers: Readonly<Record<string, string>>, createdAt?: string): Script =>
    () => ({
      ...POWER,
      body: { ...(POWER.body as object), ...(createdAt === undefined ? {} : { created_at: createdAt }) },
      headers,
    });
  const DATE = { date: new Date(REAL).toUTCString() };
  const PROBLEM = "the service's 2026-11-26 08:40 UTC: relative dates and --complete may be off; set the clock";

  test.each([
    ["behind", "2019-01-01T00:00:00Z", DATE, undefined],
    ["ahead", "2031-01-01T00:00:00Z", DATE, undefined],
    ["behind, by created_at", "2019-01-01T00:00:00Z", {}, new Date(REAL).toISOString()],
    ["a wrong zone ahead", "2026-11-26T18:40:00Z", DATE, undefined],
    [
      "behind, behind a cache",
      "2019-01-01T00:00:00Z",
      { date: new Date(REAL - 300_000).toUTCString(), age: "300" },
      undefined,
    ],
  ])("%s: relative dates get a warning", async (...[, now, headers, created]) => {
    const clock = clockAt(Date.parse(now));
    for (const window of [
      ["--last", "7d"],
      ["-s", "yesterday"],
      ["-s", "-3d"],
      ["--during", "yesterday"],
      ["-s", "2018-12-01", "--complete"],
      [...WINDOW, "--require-complete=each"],
    ]) {
      const { stderr } = await ask(dated(headers, created), window, { clock });
      expect(stderr).toContain(
        `warning: this machine's clock says ${now.slice(0, 16).replace("T", " ")} UTC, ${PROBLEM}\n`,
      );
    }
    const { stderr } = await ask(dated(headers, created), WINDOW, { clock });
    expect(stderr).toBe("");
  });

  test.each([
    ["a right clock", "2026-11-26T08:39:00Z", DATE, undefined],
    ["a cached answer", "2026-11-26T08:40:00Z", {}, "2026-11-20T00:00:00Z"],
    ["a service that says nothing", "2019-01-01T00:00:00Z", {}, "then"],
  ])("%s gets none", async (...[, now, headers, created]) => {
    const { stderr } = await ask(dated(headers, created), ["--last", "7d"], { clock: clockAt(Date.parse(now)) });
    expect(stderr).not.toContain("clock");
  });

  test("--require-fresh goes by the service's clock", async () => {
    const behind = await ask(dated(DATE), [...WINDOW, "--require-fresh", "2d", "-q"], {
      clock: clockAt(Date.parse("2025-01-01T12:00:00+10:00")),
    });
    expect(behind).toMatchObject({ code: 7 });
    expect(behind.stderr).toContain(
      "the newest value ends at 2025-01-01 02:00; --require-fresh 2d requires 2026-11-24 18:40 or later",
    );
    const now = Date.parse("2025-01-01T02:30:00+10:00");
    const ahead = await ask(dated({ date: new Date(now).toUTCString() }), [...WINDOW, "--require-fresh", "2h"], {
      clock: clockAt(Date.parse("2031-01-01T00:00:00Z")),
    });
    expect(ahead.code).toBe(0);
    expect(ahead.stderr).toContain("this machine's clock says 2031-01-01 00:00 UTC");
  });

  test("a request that fails because of it is told as well", async () => {
    const refused: Script = () => ({ ...refusal(400, "Date start must be before date end"), headers: DATE });
    const { code, stderr } = await ask(refused, ["-s", "now", "-e", "+1d"], {
      clock: clockAt(Date.parse("2031-01-01")),
    });
    expect(code).toBe(4);
    expect(stderr).toContain(PROBLEM);
  });
});

describe("the right one is blamed", () => {
  const PAGE = "<!DOCTYPE html><html><title>Just a moment...</title></html>";
  test.each<[what: string, answer: Answer]>([
    [
      "a challenge of a firewall",
      { status: 403, body: PAGE, headers: { "content-type": "text/html", server: "cloudflare" } },
    ],
    ["a login page of a network", { status: 401, body: `\n${PAGE}` }],
    [
      "a firewall that answers in a word",
      { status: 403, body: "error code: 1020", headers: { "content-type": "text/plain" } },
    ],
    ["a store's error in XML", { status: 403, body: "<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>" }],
    ["a packed page", { status: 403, body: PAGE, gzip: true }],
  ])("%s is not the token's fault", async (_, page) => {
    const { code, stderr, requests } = await ask(() => page, WINDOW);
    expect({ code, requests }).toEqual({ code: 5, requests: 1 });
    expect(stderr).toMatch(
      /^ents: the request was blocked on its way \(HTTP 40[13]\): (an HTML page|error code: 1020)\n {6}the service itself/,
    );
    expect(stderr).not.toMatch(/token|login/);
    expect((await ask(() => page, WINDOW, { env: { ENTS_TOKEN: "" } })).stderr).toContain("blocked on its way");
    const { url } = await startService(() => page);
    const home = createHome();
    const login = await home.run(["login"], { env: { ENTS_BASE_URL: url }, stdin: TOKEN });
    expect(login).toMatchObject({ code: 5 });
    expect(login.stderr).toMatch(/blocked on its way [^]*the token was not stored/);
    expect(existsSync(home.configFolder)).toBe(false);
  });

  test("a 403 in JSON is about the token, and a 401 in a word too", async () => {
    expect(await ask(() => refusal(403, "Not allowed"), WINDOW)).toMatchObject({ code: 3 });
    expect(await ask(() => ({ status: 403, body: { detail: "Not allowed" } }), WINDOW)).toMatchObject({ code: 3 });
    expect(await ask(() => ({ status: 401, body: "Unauthorized" }), [...WINDOW, "--retries", "0"])).toMatchObject({
      code: 3,
    });
  });

  const JSON_TEXT = Buffer.from(JSON.stringify(POWER.body));
  test.each<[what: string, body: Buffer, said: RegExp]>([
    ["gzip", gzipSync(JSON_TEXT), /compressed with gzip/],
    ["deflate", deflateSync(JSON_TEXT), /compressed with deflate/],
    ["zstd", Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), JSON_TEXT]), /compressed with zstd/],
    ["brotli", brotliCompressSync(JSON_TEXT), /binary data, perhaps compressed/],
    ["gzip twice", gzipSync(gzipSync(JSON_TEXT)), /compressed with gzip/],
  ])("a body in %s that does not say so", async (name, body, said) => {
    const headers = {
      "content-type": "application/json",
      ...(name === "gzip twice" ? { "content-encoding": "gzip" } : {}),
    };
    const { code, stderr, requests } = await ask(() => ({ body, headers }), WINDOW);
    expect({ code, requests }).toEqual({ code: 4, requests: 1 });
    expect(stderr).toMatch(said);
    expect(stderr).not.toContain("JSON");
  });

  test("an encoding that ents did not ask for is named", async () => {
    const { code, stderr } = await ask(
      () => ({ body: brotliCompressSync(JSON_TEXT), headers: { "content-encoding": "br" } }),
      WINDOW,
    );
    expect(code).toBe(4);
    expect(stderr).toContain('the response has the encoding "br"; ents accepts gzip only');
  });

  test.each<[token: string, problem: string]>([
    ['"oe_abc"', "has quotes around it"],
    ["'oe_abc'", "has quotes around it"],
    ["\u201coe_abc\u201d", "has quotes around it"],
    ["oe_abc'", "has quotes around it"],
    ["Bearer oe_abc", 'begins with "Bearer"'],
    ["<your-token>", "is a placeholder in angle brackets"],
    ...["${ENTS_TOKEN}", "$X", "%X%", "{{x}}", "op://vault/item", "null"].map((name): [string, string] => [
      name,
      "is the name of a place where a token should come from",
    ]),
    ["oe abc", "contains spaces or invalid characters"],
  ])("the token %s is refused before it is sent", async (token, problem) => {
    for (const name of ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"]) {
      const env = name === "ENTS_TOKEN" ? { ENTS_TOKEN: token } : { ENTS_TOKEN: "", [name]: token };
      const { code, stderr, requests } = await ask(() => POWER, WINDOW, { env });
      expect({ code, requests }).toEqual({ code: 3, requests: 0 });
      expect(stderr).toContain(`the token from ${name} ${problem}\n`);
      expect(stderr).not.toContain("oe_abc");
    }
    const home = createHome();
    const login = await home.run(["login"], { stdin: token });
    expect(login).toMatchObject({ code: 3 });
    expect(login.stderr).toContain(`the token from standard input ${problem}`);
    expect(existsSync(home.configFolder)).toBe(false);
  });

  const BLANKS = Buffer.alloc(3 * 2 ** 20, " \n");
  test.each<[what: string, answer: Answer]>([
    ["plain", { body: BLANKS }],
    ["chunked", { body: BLANKS, chunked: true }],
    ["gzipped", { body: BLANKS, gzip: true }],
    ["gzipped, of a megabyte", { body: BLANKS.subarray(0, 2 ** 20), gzip: true }],
    ["before JSON", { body: Buffer.concat([BLANKS, JSON_TEXT]) }],
    ["before JSON, gzipped", { body: Buffer.concat([BLANKS, JSON_TEXT]), gzip: true }],
  ])("a megabyte of white space is no JSON: %s", async (_, blank) => {
    const { code, stderr, requests } = await ask(() => blank, WINDOW);
    expect({ code, requests }).toEqual({ code: 4, requests: 1 });
    expect(stderr).toContain("the response begins with a megabyte of white space, so it is not JSON\n");
  });

  test("a little white space is fine", async () => {
    const body = Buffer.concat([Buffer.alloc(2 ** 20 - 1, " "), JSON_TEXT]);
    for (const gzip of [true, false])
      expect(await ask(() => ({ body, gzip }), WINDOW)).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("encodings", () => {
  const SETTINGS = JSON.stringify({ config: { rate: "7" }, tokens: {} });
  test.each<[name: string, bytes: Buffer]>([
    ["UTF-8", Buffer.from(SETTINGS)],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${SETTINGS}`)],
    ["UTF-16 as PowerShell writes it", Buffer.from(`\ufeff${SETTINGS}`, "utf16le")],
  ])("a settings file in %s is read, and written", async (_, bytes) => {
    const home = createHome();
    const path = `${home.configFolder}/config.json`;
    mkdirSync(dirname(path), { mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600 });
    expect(await home.run(["config", "get", "rate"])).toMatchObject({ code: 0, stdout: "7\n" });
    expect(await home.run(["config", "set", "concurrency", "3"])).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ config: { rate: "7", concurrency: "3" } });
  });

  test.each<[name: string, bytes: Buffer]>([
    ["UTF-16 big endian", Buffer.from(`\ufeff${SETTINGS}`, "utf16le").swap16()],
    ["Latin-1", Buffer.from(SETTINGS.replace("7", "7\u00e9"), "latin1")],
  ])("a settings file in %s is corrupt, and unchanged", async (_, bytes) => {
    const home = createHome();
    const path = `${home.configFolder}/config.json`;
    mkdirSync(dirname(path), { mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600 });
    for (const args of [
      ["config", "get", "rate"],
      ["config", "set", "rate", "3"],
    ]) {
      const { code, stderr } = await home.run(args);
      expect(code).toBe(2);
      expect(stderr).toContain("is corrupt; it is unchanged");
    }
    expect(readFileSync(path)).toEqual(bytes);
  });

  const CODES = "BAYSW\nCAF\u00c9\n";
  test.each<[name: string, bytes: Buffer, code: number]>([
    ["UTF-8", Buffer.from(CODES), 0],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${CODES}`), 0],
    ["UTF-16", Buffer.from(`\ufeff${CODES}`, "utf16le"), 0],
    ["UTF-16 big endian", Buffer.from(`\ufeff${CODES}`, "utf16le").swap16(), 2],
    ["Latin-1", Buffer.from(CODES, "latin1"), 2],
    ["a character that is cut", Buffer.from(CODES).subarray(0, -2), 2],
  ])("@file in %s", async (_, bytes, code) => {
    const home = createHome();
    writeFileSync(home.path("codes.txt"), bytes);
    const run = await home.run([
      "facilities",
      "NEM",
      "-m",
      "power",
      "--facility-code",
      "@codes.txt",
      "--dry-run",
      "-f",
      "csv",
    ]);
    expect(run.code).toBe(code);
    const said = code === 0 ? run.stdout : run.stderr;
    expect(said).toMatch(
      code === 0 ? /facility_code=BAYSW&facility_code=CAF%C3%89/ : /is not text\n {6}save it as a text file \(UTF-8\)/,
    );
  });
});

describe("values that come as text", () => {
  const textOf = (values: readonly string[]) => ({
    body: envelope([{ series: [{ points: values.map((value, hour) => [at(hour), value] as const) }] }]),
  });

  test("a text that is exactly a number is that number, in every format, with one warning", async () => {
    const numbers = ["0.50", "-1", "1e3", "20", "5", "7"];
    for (const format of ["csv", "ndjson", "parquet", "json"]) {
      const { code, stdout, stderr } = await ask(
        [textOf(numbers)],
        [...WINDOW, "-f", format, ...(format === "parquet" ? ["-o", "x"] : [])],
      );
      expect({ format, code, stderr }).toEqual({
        format,
        code: 0,
        stderr: "ents: warning: the service sends numbers as text; they are read as numbers\n",
      });
      expect(stdout).not.toContain('"0.50"');
    }
    const { stdout } = await ask([textOf(numbers)], [...WINDOW, "-f", "csv"]);
    expect(
      stdout
        .split("\n")
        .slice(1, -1)
        .map((row) => row.split(",").at(-1)),
    ).toEqual(numbers);
  });

  test("other texts are told once, with their number, in pictures and workbooks too", async () => {
    const texts = ["1", "N/A", "01", "0x10", "", "5"];
    for (const name of ["x.csv", "x.xlsx", "x.svg"]) {
      const { code, stderr } = await ask([textOf(texts)], [...WINDOW, "-o", name]);
      expect({ name, code, stderr }).toEqual({
        name,
        code: 0,
        stderr: expect.stringContaining(
          'ents: warning: 4 values are text instead of a number, such as "N/A"\n',
        ) as string,
      });
    }
  });
});

test("what a service says beside its data is shown once", async () => {
  const remarks = { error: "old data", warnings: ["the API ends in June"], message: "OK", warning: "" };
  const body = { ...envelope([{ series: [{ points: HOUR }] }]), ...remarks };
  const { stderr, requests } = await ask(
    () => ({ body }),
    ["-s", "2025-01-01", "-e", "2025-01-03", "--max-window", "1d"],
  );
  expect(stderr.match(/the service says: .*/g)).toEqual([
    "the service says: old data",
    "the service says: the API ends in June",
  ]);
  expect(requests).toBe(3);
});

test.each([
  ["-f csv --time-format local --time-zone Europe/London", 1],
  ["-o x.xlsx --time-zone Europe/London", 1],
  ["-f csv --time-zone Europe/London", 0],
  ["-f csv --time-format local", 0],
])("the hour that comes twice is told where nothing tells its halves apart: %s", async (flags, count) => {
  const points = [14, 15, 16].map((hour) => [`2025-10-26T${hour - 4}:00:00+10:00`, hour] as const);
  const { stderr } = await ask(
    [answer({ series: [{ points }] })],
    ["-s", "2025-10-26", "-e", "2025-10-26", ...flags.split(" ")],
  );
  expect(stderr.match(/the hour from 2025-10-26 01:00 comes twice in Europe\/London/g) ?? []).toHaveLength(count);
});
