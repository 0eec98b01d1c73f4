/** A quota that runs out halfway through an export: finished requests are kept, and the suggested command resumes. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { CUT, envFor, fetchWhole, OUT, PIECES, QUERY, runIn, startWorldService } from "./world-service.ts";
import { HAS_SHELL } from "../support/platform.ts";

const whole = fetchWhole(QUERY, ["-f", "csv"]);

/** A service that answers this many requests with the first token. */
function startMetered(quota: number) {
  let left = quota;
  return startWorldService({
    play: ({ request: { headers } }) =>
      headers.authorization === `Bearer ${TOKEN}` && --left < 0 ? refusal(401, "Authentication failed") : undefined,
  });
}

test.concurrent.for([1, 2, 4, 6])("spent after %i of 7: exit 3, then another token resumes", async (quota) => {
  const service = await startMetered(quota);
  const home = createHomeWithFile();
  const old = readFileSync(home.path(OUT));
  // One by one: of several, one that is still being read when another is refused may or may not be kept.
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT, "--concurrency", "1"]);
  expect(run).toMatchObject({ code: 3, stdout: "" });
  expect(run.stderr).toMatch(
    /^ents: the token from ENTS_TOKEN was refused \(HTTP 401\) after \d attempts: Authentication failed\n {6}it worked earlier in this run, so its daily quota is probably spent: try again tomorrow, or replace it in ENTS_TOKEN; /,
  );
  expect(run.stderr).toContain(`${quota} of 7 requests are done (kept in ${OUT}.ents)`);
  expect(readFileSync(home.path(OUT))).toEqual(old);
  expect(readdirSync(home.folder)).toEqual([OUT, `${OUT}.ents`]);

  // A token that has worked is tried three times.
  expect(service.requests).toHaveLength(quota + 3);

  // The quota is still spent today: nothing is lost, and one request shows it.
  const before = service.requests.length;
  expect(await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT, "--concurrency", "1"])).toMatchObject({
    code: 3,
  });
  expect(service.requests).toHaveLength(before + 1);

  const again = /^ {6}(ents .*)$/m.exec(run.stderr)?.[1] ?? "";
  expect(await home.line(again, { env: envFor(service, "another-token") })).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(await whole);
  expect(readdirSync(home.folder)).toEqual([OUT]);
  const others = service.requests.filter(({ headers }) => headers.authorization === "Bearer another-token");
  expect(others).toHaveLength(PIECES - quota);
});

test.concurrent("spent before the first request: nothing to resume, and nothing left behind", async () => {
  const service = await startMetered(0);
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT]);
  expect(run).toMatchObject({ code: 3 });
  expect(run.stderr).not.toContain("to resume");
  expect(readdirSync(home.folder)).toEqual([OUT]);
});

test.concurrent("the resume command has absolute times", async () => {
  const service = await startMetered(2);
  const window = ["network", "NEM", "-m", "power", "-i", "5m", "-s", "-1d", "-e", "today"];
  const run = await runIn({ service }, [...window, "--max-window", "6h", "--rate", "1000", "-o", "it's new.csv"]);
  expect(run).toMatchObject({ code: 3 });
  expect(run.stderr).toContain(HAS_SHELL ? "--output 'it'\\''s new.csv' " : `--output "it's new.csv" `);
  expect(run.stderr).toMatch(
    /to resume, run:\n {6}ents network NEM --metrics power --interval 5m --date-start 20\d\d-\d\d-\d\dT[\d:]+ --date-end 20\d\d-\d\d-\d\dT23:59:59 --output .* --max-window 6h --rate 1000 --base-url http:\/\/127\.0\.0\.1:\d+$/m,
  );
});
