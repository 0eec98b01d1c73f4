/** A source behind a store of responses: what is requested again and what is not. */
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type ResponseStore, storeResponses } from "../../src/store/store-responses.ts";
import type { PlannedRequest } from "../../src/plan/plan.ts";
import type { Response } from "../../src/source/response.ts";
import type { Received, Source } from "../../src/source/source.ts";
import { readResponse } from "../../src/source/read-response.ts";

const REQUEST: PlannedRequest = {
  method: "GET",
  path: "/v4/data/network/NEM?metrics=power",
  points: undefined,
  endsBy: 0,
};
const SECRET = "a-secret-of-mine";
const WHOLE = '{"version":"4","created_at":"2026-01-01T00:00:00Z","success":true,"data":[]}';

function respond(text: string): Response {
  return { status: 200, gzip: false, bytes: Buffer.from(text), receivedAt: 0, retryAfter: undefined };
}

/** A store in memory, and the texts that it was given. */
function createMemory(found?: Response): { store: ResponseStore; keptTexts: string[] } {
  const keptTexts: string[] = [];
  const store: ResponseStore = {
    find: async () => found,
    keep: async (_, { bytes }) => void keptTexts.push(bytes.toString()),
    drop: async () => void keptTexts.pop(),
  };
  return { store, keptTexts };
}

function ask(source: Source, store: ResponseStore, maxBody = 1024): Promise<Received> {
  return storeResponses(source, { store, as: "cache", maxBody, secrets: [SECRET] }).send(
    REQUEST,
    new AbortController().signal,
  );
}

/** A source that sends `text`; reading it requests again and gets `later`. */
function createSource(text: string, later = text): Source & { sent: number } {
  const source = {
    sent: 0,
    send: async () => {
      source.sent++;
      const response = respond(text);
      const reread = later === text ? response : respond(later);
      return {
        response,
        storedIn: false as const,
        read: async () => ({ decoded: await readResponse(reread), response: reread }),
      };
    },
  };
  return source;
}

test("a response is kept as soon as it arrives, before it is read", async () => {
  const { store, keptTexts } = createMemory();
  const received = await ask(createSource(WHOLE), store);
  expect([received.storedIn, keptTexts]).toEqual([false, [WHOLE]]);
  await received.read();
  expect(keptTexts).toEqual([WHOLE]);
});

test("a broken response is replaced by the one that was fetched again", async () => {
  const { store, keptTexts } = createMemory();
  const received = await ask(createSource("{", WHOLE), store);
  await received.read();
  expect(keptTexts).toEqual(["{", WHOLE]);
});

test("a secret in a response is kept as a mark, in one that was fetched again, too", async () => {
  const { store, keptTexts } = createMemory();
  const told = WHOLE.replace('"4"', `"${SECRET} ${SECRET}"`);
  const received = await ask(createSource(`{"${SECRET}`, told), store);
  await received.read();
  expect(keptTexts).toEqual(['{"***', WHOLE.replace('"4"', '"*** ***"')]);
});

test("what cannot be unpacked is not kept: it may hide a secret", async () => {
  const { store, keptTexts } = createMemory();
  const response = { ...respond("no gzip"), gzip: true };
  const source: Source = {
    send: async () => ({ response, storedIn: false, read: async () => Promise.reject(new Error("broken")) }),
  };
  await ask(source, store);
  expect(keptTexts).toEqual([]);
});

test("a broken response that cannot be removed is told as what it is", async () => {
  const { store } = createMemory();
  const source: Source = {
    send: async () => ({
      response: respond("{"),
      storedIn: false,
      read: async () => Promise.reject(new Error("broken")),
    }),
  };
  const drop = async () => Promise.reject(new Error("read-only"));
  const received = await ask(source, { ...store, drop });
  await expect(received.read()).rejects.toThrow("broken");
});

test("a broken response is not kept", async () => {
  const { store, keptTexts } = createMemory();
  const received = await ask(createSource("{"), store);
  expect(keptTexts).toEqual(["{"]);
  await expect(received.read()).rejects.toThrow(/incomplete/);
  expect(keptTexts).toEqual([]);
});

test("a response with unknown TimeSeries is read, but not kept", async () => {
  const { store, keptTexts } = createMemory();
  const received = await ask(createSource('{"version":"4","data":[{"networks":1}]}'), store);
  await received.read();
  expect(keptTexts).toEqual([]);
});

test("a kept answer that is too large is an error, and not requested again", async () => {
  const { store } = createMemory(respond(WHOLE));
  const source = createSource(WHOLE);
  const received = await ask(source, store, WHOLE.length - 1);
  await expect(received.read()).rejects.toMatchObject({
    kind: "refused",
    message: expect.stringContaining("larger than") as string,
  });
  expect(source.sent).toBe(0);
});

test("a kept answer is read without a request", async () => {
  const { store, keptTexts } = createMemory(respond(WHOLE));
  const source = createSource(WHOLE);
  const received = await ask(source, store);
  expect((await received.read()).decoded.envelope["version"]).toBe("4");
  expect([received.storedIn, source.sent, keptTexts]).toEqual(["cache", 0, []]);
});

test.each([
  ["that is broken", "{"],
  ["that is no envelope", "[]"],
  ["with unknown TimeSeries", '{"version":"4","data":[{"networks":1}]}'],
])("a kept answer %s is requested again and replaced", async (_, text) => {
  const { store, keptTexts } = createMemory(respond(text));
  const source = createSource(WHOLE);
  const received = await ask(source, store);
  expect((await received.read()).decoded.envelope["version"]).toBe("4");
  expect([source.sent, keptTexts]).toEqual([1, [WHOLE]]);
});

test.each([
  ["with a secret, is kept without it", SECRET, false],
  ["without one, is kept as it came", "", true],
])("a large packed answer %s", async (_, secret, asItCame) => {
  const text = WHOLE.replace('"4"', `"4${secret}"`) + " ".repeat(100_000);
  const response: Response = { ...respond(""), gzip: true, bytes: gzipSync(text) };
  const kept: Response[] = [];
  const store: ResponseStore = {
    find: async () => undefined,
    keep: async (_request, one) => void kept.push(one),
    drop: async () => {},
  };
  const source: Source = {
    send: async () => ({
      response,
      storedIn: false,
      read: async () => ({ decoded: await readResponse(response), response }),
    }),
  };
  const { decoded } = await (await ask(source, store, 1024 * 1024)).read();
  expect(kept.map(({ gzip, bytes }) => (gzip ? gunzipSync(bytes) : bytes).toString())).toEqual([
    text.replace(SECRET, "***"),
  ]);
  expect(kept[0] === response).toBe(asItCame);
  expect(decoded.envelope["version"]).toBe(`4${secret}`);
});
