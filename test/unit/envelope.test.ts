import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findServiceMessage, openEnvelope, type OpenedEnvelope } from "../../src/decode/envelope.ts";
import { type JsonObject, parseJson, toJsonText } from "../../src/base/json.ts";
import { createEmptyResponse } from "../../src/series/decoded-response.ts";

const read = (body: unknown): OpenedEnvelope => openEnvelope(parseJson(JSON.stringify(body)));
const plain = ({ envelope, data }: OpenedEnvelope) =>
  JSON.parse(toJsonText({ ...envelope, data })) as Record<string, unknown>;

const FULL = {
  version: "4.5.0",
  created_at: "2025-02-01T00:00:00Z",
  success: true,
  error: null,
  data: [{ metric: "power" }],
  total_records: 1,
};

describe("openEnvelope", () => {
  test("keeps the six fields of v4", () => {
    expect(plain(read(FULL))).toEqual(FULL);
  });

  test("a success may omit error, total_records and success", () => {
    const { version, created_at, data } = FULL;
    expect(plain(read({ version, created_at, data }))).toEqual({ ...FULL, total_records: null });
  });

  test("unknown fields are kept, numbers digit for digit", () => {
    const { envelope: fields } = openEnvelope(parseJson('{"data":[],"took":1.50,"meta":{"page":1e400}}'));
    expect(toJsonText(fields["took"] ?? null)).toBe("1.50");
    expect(toJsonText(fields["meta"] ?? null)).toBe('{"page":1e400}');
  });

  test("other fields are kept beside data", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^x_[a-z]{1,5}$/), fc.jsonValue()), (others) => {
        expect(plain(read({ ...FULL, ...others }))).toEqual(JSON.parse(JSON.stringify({ ...FULL, ...others })));
      }),
    );
  });

  test("the same fields come in the same order, however the service ordered them", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(FULL), { minLength: 6 }), (entries) => {
        expect(Object.keys(read(Object.fromEntries(entries)).envelope)).toEqual(Object.keys(FULL));
      }),
    );
  });

  test.each<[string, object]>([
    ["too long", { success: false, error: "too long" }],
    ["too long", { success: false, error: "too long", data: [] }],
    ["too long", { success: false, detail: { error: "too long" } }],
    ["no reason given", { success: false }],
    ["no reason given", { success: false, error: null }],
  ])("success: false is refused, with the service's message: %s", (message, body) => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ kind: "refused", message: expect.stringContaining(message) as string }) as Error,
    );
  });

  test.each([
    [[]],
    ["text"],
    [5],
    [null],
    [{}],
    [{ data: null }],
    [{ data: {} }],
    [{ networks: [] }],
    [{ data: [], success: "yes" }],
  ])("%j is not an envelope", (body) => {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ kind: "refused", message: expect.stringContaining("not valid v4") as string }) as Error,
    );
  });

  test("an empty one has all six fields", () => {
    const { envelope, timeSeries } = createEmptyResponse("4.5.0", "2025-02-01T00:00:00Z");
    expect(plain({ envelope, data: [] })).toEqual({ ...FULL, data: [], total_records: null });
    expect(timeSeries).toEqual([]);
  });
});

describe("findServiceMessage", () => {
  test.each<[string | undefined, JsonObject]>([
    ["Date range too large", { version: "4", response_status: "ERROR", error: "Date range too large", success: false }],
    ["No such metric; Try power", { detail: { error: "No such metric", hint: "Try power" } }],
    ["Not Found", { detail: "Not Found" }],
    ["metrics: field required", { detail: [{ loc: ["query", "metrics"], msg: "field required", type: "missing" }] }],
    [
      "a.b: x; c: y",
      {
        detail: [
          { loc: ["query", "a", "b"], msg: "x" },
          { loc: ["c"], msg: "y" },
        ],
      },
    ],
    [undefined, {}],
    [undefined, { error: null }],
    [undefined, { detail: [] }],
  ])("%s", (message, body) => {
    expect(findServiceMessage(body)).toBe(message);
  });

  test("for anything but an object, none", () => {
    expect([parseJson("5"), parseJson('"text"'), null, []].map(findServiceMessage)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
