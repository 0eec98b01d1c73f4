/** A source with a checkpoint before it: what is asked for again, and what is not. */
import { expect, test } from "vitest";
import type { Checkpoint } from "../../src/job/checkpoint/checkpoint.ts";
import { keepAnswers } from "../../src/job/checkpoint/keep-answers.ts";
import type { PlannedRequest } from "../../src/plan/plan.ts";
import type { Response } from "../../src/source/response.ts";
import type { Source } from "../../src/source/source.ts";
import { readResponse } from "../../src/source/read-response.ts";

const REQUEST: PlannedRequest = { method: "GET", path: "/v4/data/network/NEM?metrics=power", points: undefined, endsBy: 0 };
const WHOLE = '{"version":"4","created_at":"2026-01-01T00:00:00Z","success":true,"data":[]}';

function respond(text: string): Response {
  return { status: 200, gzip: false, bytes: Buffer.from(text), receivedAt: 0, retryAfter: undefined };
}

/** A checkpoint in memory, and what was kept in it. */
function createMemory(found?: Response): { checkpoint: Checkpoint; keptTexts: string[] } {
  const keptTexts: string[] = [];
  const checkpoint: Checkpoint = {
    folder: "x.csv.ents-partial",
    open: async () => {},
    has: () => found !== undefined,
    countOthers: () => 0,
    find: async () => found,
    keep: async (_, { bytes }) => void keptTexts.push(bytes.toString()),
    drop: async () => void keptTexts.pop(),
    close: async () => {},
    clear: async () => {},
  };
  return { checkpoint, keptTexts };
}

/** A source that sends what is given; when it is read, it asks again as `later` says. */
function createSource(text: string, later = text): Source & { sent: number } {
  const source = {
    sent: 0,
    send: async () => {
      source.sent++;
      const response = respond(text);
      const reread = later === text ? response : respond(later);
      return { response, kept: false, read: async () => ({ answer: await readResponse(reread), response: reread }) };
    },
  };
  return source;
}

const signal = new AbortController().signal;

test("an answer is kept as soon as it arrives, before it is read", async () => {
  const { checkpoint, keptTexts } = createMemory();
  const received = await keepAnswers(createSource(WHOLE), checkpoint).send(REQUEST, signal);
  expect([received.kept, keptTexts]).toEqual([false, [WHOLE]]);
  await received.read();
  expect(keptTexts).toEqual([WHOLE]);
});

test("a broken answer is replaced by the one that was fetched again", async () => {
  const { checkpoint, keptTexts } = createMemory();
  const received = await keepAnswers(createSource("{", WHOLE), checkpoint).send(REQUEST, signal);
  await received.read();
  expect(keptTexts).toEqual(["{", WHOLE]);
});

test("a broken answer that cannot be removed is told as what it is", async () => {
  const { checkpoint } = createMemory();
  const source: Source = {
    send: async () => ({ response: respond("{"), kept: false, read: async () => Promise.reject(new Error("broken")) }),
  };
  const drop = async () => Promise.reject(new Error("read-only"));
  const received = await keepAnswers(source, { ...checkpoint, drop }).send(REQUEST, signal);
  await expect(received.read()).rejects.toThrow("broken");
});

test("a broken answer is not kept", async () => {
  const { checkpoint, keptTexts } = createMemory();
  const received = await keepAnswers(createSource("{"), checkpoint).send(REQUEST, signal);
  expect(keptTexts).toEqual(["{"]);
  await expect(received.read()).rejects.toThrow(/incomplete/);
  expect(keptTexts).toEqual([]);
});

test("a kept answer is read without a request", async () => {
  const { checkpoint, keptTexts } = createMemory(respond(WHOLE));
  const source = createSource(WHOLE);
  const received = await keepAnswers(source, checkpoint).send(REQUEST, signal);
  expect((await received.read()).answer.envelope["version"]).toBe("4");
  expect([received.kept, source.sent, keptTexts]).toEqual([true, 0, []]);
});

test.each([
  ["that is broken", "{"],
  ["that is no envelope", "[]"],
  ["with unknown TimeSeries", '{"version":"4","data":[{"networks":1}]}'],
])("a kept answer %s is requested again and replaced", async (_, text) => {
  const { checkpoint, keptTexts } = createMemory(respond(text));
  const source = createSource(WHOLE);
  const received = await keepAnswers(source, checkpoint).send(REQUEST, signal);
  expect((await received.read()).answer.envelope["version"]).toBe("4");
  expect([source.sent, keptTexts]).toEqual([1, [WHOLE]]);
});
