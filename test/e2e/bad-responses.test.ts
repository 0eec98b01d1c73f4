/**
 * Responses without usable data: the exit code says who must act, the message repeats the service's, and an existing
 * file stays.
 */
import { expect, test } from "vitest";
import { type Answer, startService } from "../support/scripted-service.ts";
import { envelope, HOUR, POWER, refusal, TOKEN } from "./envelopes.ts";
import { createHomeWithFile, expectError, expectUntouched } from "./old-file.ts";

/** Retries at once, so that tests need not wait. */
const AT_ONCE = { "retry-after": "0" };
const JSON_TYPE = { "content-type": "application/json" };
const GZIP = { "content-encoding": "gzip" };
const BROTLI = { "content-encoding": "br" };
const LABELLED = JSON.stringify(envelope([{ series: [{ labels: { fueltech: "caf\u00e9" }, points: HOUR }] }]));
const nested = (depth: number): (typeof CASES)[number] => {
  const field = "[".repeat(depth) + "]".repeat(depth);
  return [
    `JSON of ${depth} levels`,
    text(JSON.stringify(POWER.body).replace("{", `{"more":${field},`)),
    4,
    1,
    /cannot read the response: it is nested more than 500 levels deep/,
  ];
};
const text = (body: string | Buffer): Answer => ({ body, headers: JSON_TYPE });
const withData = (data: unknown): Answer => ({ body: { ...envelope([]), data } });

/** The number of requests with `--retries 1`: 1 if a retry cannot help. */
const CASES: readonly [name: string, answer: Answer, code: number, requests: number, says: RegExp][] = [
  [
    "401: the token, or a spent quota",
    refusal(401, "Authentication failed"),
    3,
    1,
    /401.*Authentication failed\n.*quota/,
  ],
  ["403", { status: 403, body: { detail: "Not for your plan" } }, 3, 1, /403.*Not for your plan/],
  ["400", refusal(400, "Date range too old"), 4, 1, /400.*Date range too old/],
  [
    "400 with a hint",
    { status: 400, body: { detail: { error: "No such thing", hint: "Try another" } } },
    4,
    1,
    /No such thing.*Try another/,
  ],
  ["404 of an unknown path", { status: 404, body: { detail: "Not Found" } }, 4, 1, /404.*Not Found/],
  ["404 in HTML", { status: 404, body: "<h1>nothing here</h1>" }, 4, 1, /404.*HTML/],
  ["405", { status: 405, body: { detail: "Method Not Allowed" } }, 4, 1, /405.*Method Not Allowed/],
  [
    "422",
    { status: 422, body: { detail: [{ loc: ["query", "metrics"], msg: "Field required" }] } },
    4,
    1,
    /422.*metrics.*Field required/,
  ],
  [
    "200 with success: false",
    { body: { success: false, error: "Query was cancelled", data: [] } },
    4,
    1,
    /Query was cancelled/,
  ],
  ["JSON that is no envelope: an array", { body: [] }, 4, 1, /not valid v4/],
  ["JSON that is no envelope: an object", { body: { hello: "world" } }, 4, 1, /not valid v4 \(data/],
  ["JSON that is no envelope: null", text("null"), 4, 1, /not valid v4/],
  ["JSON that is no envelope: a number", text("42"), 4, 1, /not valid v4/],
  ["data that is no array", withData({}), 4, 1, /not valid v4 \(data/],
  [
    "a TimeSeries without results",
    withData([{ network_code: "NEM", metric: "power", unit: "MW" }]),
    4,
    1,
    /data\[0\]\.results/,
  ],
  ["a point that is a number", withSeries([1]), 4, 1, /data\[0\]\.results\[0\]\.data\[0\].*number/],
  ["a point with no timestamp", withSeries([["noon", 1]]), 4, 1, /data\[0\]\.results\[0\]\.data\[0\].*"noon"/],
  ["a point with an object for a value", withSeries([["2025-01-01T00:00:00Z", {}]]), 4, 1, /an object/],
  ["a page instead of JSON", { body: "<html><title>Portal</title></html>" }, 4, 2, /HTML/],
  ["an encoding nobody asked for", { ...POWER, headers: { "content-encoding": "br" } }, 4, 1, /"br"/],
  [
    "a redirect to another origin",
    { status: 302, headers: { location: "http://localhost:1/" } },
    4,
    1,
    /http:\/\/localhost:1/,
  ],
  [
    "a redirect in a circle",
    { status: 301, headers: { location: "/v4/data/network/NEM?metrics=power" } },
    4,
    6,
    /too many redirects/,
  ],
  [
    "429",
    refusal(429, "Too many requests", AT_ONCE),
    5,
    2,
    /429\) after 2 attempts: Too many requests\n.*try again later/,
  ],
  [
    "500",
    refusal(500, "Error executing query", AT_ONCE),
    5,
    2,
    /500\) after 2 attempts: Error executing query\n.*try again later/,
  ],
  ["525", { status: 525 }, 5, 1, /525: its CDN could not set up TLS with its server/],
  ["526", { status: 526, body: "<html>526</html>" }, 5, 1, /526: its CDN does not trust the certificate of its server/],
  ["530", { status: 530, body: "<html>1016</html>" }, 5, 1, /530: its CDN cannot find its server/],
  ["501 is not retried", refusal(501, "Not implemented"), 5, 1, /501\): Not implemented\n.*try again later/],
  [
    "502 with a page",
    { status: 502, body: "<html>Bad gateway</html>", headers: AT_ONCE },
    5,
    2,
    /502\) after 2 attempts; try again later/,
  ],
  ["503 with nothing", { status: 503, headers: AT_ONCE }, 5, 2, /503/],
  [
    "504 with text",
    { status: 504, body: "upstream timed out", headers: AT_ONCE },
    5,
    2,
    /504\) after 2 attempts: upstream timed out\n.*try again later/,
  ],
  ["520", { status: 520, headers: AT_ONCE }, 5, 2, /520\) after 2 attempts/],
  [
    "524 with a page",
    { status: 524, body: "<html>A timeout occurred</html>", headers: AT_ONCE },
    5,
    2,
    /524\) after 2 attempts/,
  ],
  ["401 in a damaged body", { ...refusal(401, "Sorry"), headers: GZIP }, 3, 1, /401.*no reason given/],
  ["401 in an encoding nobody asked for", { ...refusal(401, "Sorry"), headers: BROTLI }, 3, 1, /401.*no reason given/],
  ["401 in a body cut short", { ...refusal(401, "Sorry"), end: "hang up" }, 3, 1, /401/],
  ["401 in a gzipped body cut short", { ...refusal(401, "Sorry"), gzip: true, end: "hang up" }, 3, 1, /401/],
  ["401 in a body of 3 MB", refusal(401, "x".repeat(3_000_000)), 3, 1, /401.*\.\.\. ?/],
  ["403 in a damaged body", { ...refusal(403, "Sorry"), headers: GZIP }, 3, 1, /403.*no reason given/],
  ["400 in a damaged body", { ...refusal(400, "Sorry"), headers: GZIP }, 4, 1, /400.*no reason given/],
  [
    "429 in a damaged body",
    { ...refusal(429, "Sorry"), headers: { ...GZIP, ...AT_ONCE } },
    5,
    2,
    /429\) after 2 attempts/,
  ],
  [
    "503 in an encoding nobody asked for",
    { ...refusal(503, "Sorry"), headers: { ...BROTLI, ...AT_ONCE } },
    5,
    2,
    /503\) after 2 attempts/,
  ],
  ["NaN", text('{"data": [NaN]}'), 4, 1, /not valid JSON: .*'N'.* position 10/],
  ["Infinity", text('{"data": [[1, -Infinity]]}'), 4, 1, /not valid JSON: .*'I'.* position 15/],
  ["JSON that breaks before its end", text('{"data": []]'), 4, 1, /not valid JSON: .* position 11/],
  ["a digit after the points", text(JSON.stringify(POWER.body).replace("]]", "]]0")), 4, 1, /not valid JSON: .*'0'/],
  ["a digit inside the points", text(JSON.stringify(POWER.body).replace("],[", "]0,[")), 4, 1, /not valid JSON: .*'0'/],
  ["text after the JSON", text(`${JSON.stringify(POWER.body)}]0}`), 4, 1, /not valid JSON: Expected end of input/],
  ["a word after the JSON", text(`${JSON.stringify(POWER.body)}null`), 4, 1, /not valid JSON: Expected end of input/],
  [
    "two values of one key",
    text('{"success": true, "data": [], "success": false}'),
    4,
    1,
    /not valid JSON: Duplicate key/,
  ],
  [
    "a label that is not UTF-8",
    text(Buffer.from(LABELLED, "latin1")),
    4,
    1,
    /not valid JSON: it is not UTF-8 text near byte \d\d+/,
  ],
  [
    "UTF-16",
    text(Buffer.from(`\ufeff${LABELLED}`, "utf16le")),
    4,
    1,
    /not valid JSON: it is not UTF-8 text near byte 0/,
  ],
  [
    "UTF-16 without a mark",
    text(Buffer.from(JSON.stringify(POWER.body), "utf16le")),
    4,
    1,
    /not valid JSON: .* position 1\b/,
  ],
  ...[501, 4000, 100_000].map(nested),
  ["an empty body", text(""), 5, 2, /incomplete after 2 attempts/],
  ["JSON that ends in a keyword", text('{"success": tru'), 5, 2, /incomplete after 2 attempts/],
  ["JSON that ends in an escape", text('{"version": "\\u00'), 5, 2, /incomplete after 2 attempts/],
  [
    "JSON that ends in a character",
    text(Buffer.from(LABELLED).subarray(0, Buffer.from(LABELLED).indexOf(0xc3) + 1)),
    5,
    2,
    /incomplete/,
  ],
  ["JSON that ends early", text('{"data": ['), 5, 2, /incomplete after 2 attempts/],
  ["a body cut short", { ...POWER, end: "hang up" }, 5, 2, /./],
  ["a gzipped body cut short", { ...POWER, gzip: true, end: "hang up" }, 5, 2, /./],
  ["a chunked body cut short", { ...POWER, chunked: true, end: "hang up" }, 5, 2, /./],
  ["a connection that is reset", { instead: "reset" }, 5, 2, /127\.0\.0\.1/],
];

function withSeries(points: readonly unknown[]): Answer {
  return withData([
    { network_code: "NEM", metric: "power", unit: "MW", results: [{ name: "power_total", columns: {}, data: points }] },
  ]);
}

test.concurrent.for(CASES)("%s", async ([, answer, code, requests, says]) => {
  const service = await startService(() => answer);
  const home = createHomeWithFile();
  const run = await home.run(["network", "NEM", "-m", "power", "--retries", "1", "-o", "old.csv"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
  });
  expectError(run, code, says);
  expectUntouched(home);
  expect(service.requests).toHaveLength(requests);
});
