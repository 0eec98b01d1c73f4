/** A service that never answers, or never finishes: `--timeout` gives up, and a signal stops the command. */
import { expect, test } from "vitest";
import { drip, reply, startRawServer } from "../support/raw-server.ts";
import { FULL, some } from "../support/extent.ts";
import { TIMEOUT } from "../support/patience.ts";
import { createHome, type RunOptions, type Started } from "../support/run-ents.ts";
import { startStoppable } from "../support/stoppable.ts";
import { type Answer, startService } from "../support/scripted-service.ts";
import { POWER, refusal, TOKEN } from "./envelopes.ts";
import { createHomeWithFile, expectError, expectUntouched } from "./old-file.ts";

const FETCH = ["network", "NEM", "-m", "power", "--last", "1d", "-o", "old.csv"];
const SILENT: Answer = { instead: "stall" };
const STUCK: Answer = { ...POWER, end: "stall" };
const LATE: Answer = refusal(429, "Too many requests", { "retry-after": "100" });

test.concurrent.for([
  ["before the first byte", SILENT, /no response.*10 s/],
  ["inside the body", STUCK, /no more data.*10 s/],
  ["inside a gzipped body", { ...STUCK, gzip: true }, /no more data.*10 s/],
] as [string, Answer, RegExp][])("--timeout gives up on silence %s", async ([, answer, says]) => {
  const service = await startService(() => answer);
  const home = createHomeWithFile();
  const run = await home.run([...FETCH, "--timeout", TIMEOUT, "--retries", "0"], { env: envFor(service.url) });
  expectError(run, 5, says);
  expectUntouched(home);
});

const OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const ENDLESS = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const UNAUTHORIZED = ENDLESS.replace("200 OK", "401 Unauthorized");

const ENDLESS_ANSWERS = [
  ["a head for ever", drip(OK, "X-A: b\r\n"), 5, /no response from/],
  ["a refusal without its body", reply(UNAUTHORIZED), 3, /401/],
  ["a body byte by byte for ever", drip(ENDLESS, "1\r\n \r\n"), 5, /hardly any data from/],
  ["a refusal byte by byte for ever", drip(UNAUTHORIZED, "1\r\n \r\n"), 3, /401/],
  ["a refusal that drips", drip(UNAUTHORIZED, `800\r\n${" ".repeat(2048)}\r\n`), 3, /401/],
  ["103 for ever", drip("HTTP/1.1 103 Early Hints\r\n\r\n"), 5, /no response from/],
] as const;

test.concurrent.for(some(2, ENDLESS_ANSWERS))("--timeout gives up on %s", async ([, onConnection, code, says]) => {
  const service = await startRawServer(onConnection);
  const home = createHomeWithFile();
  const run = await home.run([...FETCH, "--timeout", TIMEOUT, "--retries", "0"], { env: envFor(service.url) });
  expectError(run, code, says);
  expectUntouched(home);
});

test.concurrent("a redirect is followed without waiting for its endless body", async () => {
  const redirect = `HTTP/1.1 307 Over There\r\nLocation: /v4/elsewhere\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const body = JSON.stringify(POWER.body);
  const whole = `${OK}Content-Length: ${body.length}\r\n\r\n${body}`;
  const service = await startRawServer((socket) => {
    socket.once("data", (head) => {
      if (head.toString().startsWith("GET /v4/elsewhere")) return void socket.end(whole);
      socket.write(redirect);
      const timer = setInterval(() => socket.write(`400\r\n${" ".repeat(1024)}\r\n`), 10);
      socket.on("close", () => clearInterval(timer));
    });
  });
  expect(await createHome().run([...FETCH, "--retries", "0"], { env: envFor(service.url) })).toMatchObject({
    code: 0,
    stderr: "",
  });
});

test.concurrent("a silent service in TLS is exit 5 after the timeout, and ends at a signal", async () => {
  const service = await startRawServer(() => {});
  const env = envFor(service.url.replace("http:", "https:"));
  const run = await createHome().run([...FETCH, "--timeout", TIMEOUT, "--retries", "0"], { env });
  expect(run).toMatchObject({ code: 5, stderr: expect.stringMatching(/no connection to .*timeout: 10 s/) as string });
  const connected = service.connected();
  const { stop } = startStoppable(createHome(), FETCH, { env, isReal: true });
  await connected;
  expect(await stop("SIGTERM")).toMatchObject({ code: 143, stderr: "" });
});

test.runIf(FULL).concurrent("silence is retried, then the data", async () => {
  const service = await startService([SILENT, STUCK, POWER]);
  const run = await createHome().run([...FETCH, "--timeout", TIMEOUT], { env: envFor(service.url) });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(service.requests).toHaveLength(3);
});

test.concurrent("a slow answer within the timeout is waited for", async () => {
  const service = await startService([{ ...POWER, delayMs: 1500 }]);
  expect(
    await createHome().run([...FETCH, "--timeout", "100s", "--retries", "0"], { env: envFor(service.url) }),
  ).toMatchObject({
    code: 0,
  });
});

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;
const WAITS: readonly [name: string, answer: Answer][] = [
  ["silent", SILENT],
  ["stuck inside a body", STUCK],
  ["to be asked again in 100 s", LATE],
];

for (const [signal, code] of SIGNALS) {
  test.concurrent.for(WAITS)(`${signal} ends a fetch while the service is %s: ${code}`, async ([, answer]) => {
    const service = await startService(() => answer);
    const home = createHomeWithFile();
    const { finished, stop } = startStoppable(home, FETCH, {
      env: envFor(service.url),
      isReal: FULL || (signal === "SIGINT" && answer === STUCK),
    });
    await Promise.race([service.received(1), finished]);
    expect(await stop(signal)).toMatchObject({ code, stdout: "", stderr: "" });
    expectUntouched(home);
    expect(service.requests).toHaveLength(1);
  });

  test.runIf(FULL).concurrent(`${signal} ends a login that waits for a token: ${code}`, async () => {
    const home = createHome();
    const started = home.start(["login", "--no-verify"], { stdin: { open: true } });
    await untilReading(started);
    started.child.kill(signal);
    expect(await started.finished).toMatchObject({ code, stdout: "", stderr: "" });
  });

  test
    .runIf(FULL)
    .concurrent(`${signal} ends a command that waits for codes from standard input: ${code}`, async () => {
      const home = createHomeWithFile();
      const started = home.start(
        ["facilities", "NEM", "-m", "power", "--unit-code", "@-", "--sandbox", "-o", "old.csv"],
        {
          stdin: { open: true },
        },
      );
      await untilReading(started);
      started.child.kill(signal);
      expect(await started.finished).toMatchObject({ code, stdout: "", stderr: "" });
      expectUntouched(home);
    });

  test.runIf(FULL || signal === "SIGTERM").concurrent(`${signal} stops the sandbox: ${code}`, async () => {
    const { child, finished } = createHome().start(["sandbox"]);
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.kill(signal);
    expect(await finished).toMatchObject({ code, stderr: expect.stringMatching(/^ents: note: [^\n]*\n$/) as string });
  });
}

function envFor(url: string): NonNullable<RunOptions["env"]> {
  return { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: url };
}

/** Waits until the process reads its standard input, by writing more than a pipe buffers. */
function untilReading({ child }: Started): Promise<void> {
  return new Promise((resolve) => child.stdin?.write("#".repeat(4_000_000), () => resolve()));
}
