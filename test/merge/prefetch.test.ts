import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prefetch } from "../../src/source/prefetch.ts";
import { draws } from "../support/extent.ts";

interface Running {
  readonly request: number;
  readonly signal: AbortSignal;
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** Requests that are answered when the test says so. */
function createService() {
  const running: Running[] = [];
  const read: number[] = [];
  const sent: number[] = [];
  const send = (request: number, signal: AbortSignal): Promise<string> => {
    let forget = () => {};
    sent.push(request);
    return new Promise<string>((resolve, reject) => {
      running.push({ request, signal, resolve, reject });
      const abort = () => reject(signal.reason as Error);
      signal.addEventListener("abort", abort, { once: true });
      forget = () => signal.removeEventListener("abort", abort);
    }).finally(() => forget());
  };
  return {
    running,
    sent,
    /** The requests whose responses were read, in the order of the reads. */
    read,
    send,
    readAnswer: async (arrived: string) => {
      read.push(Number(arrived.slice("answer ".length)));
      return arrived;
    },
  };
}

/** Lets everything that can continue do so. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface Setup {
  readonly count: number;
  readonly concurrency: number;
  /** Which pending request is answered next. */
  readonly picks: fc.Stream<number>;
}

const setups: fc.Arbitrary<Setup> = fc.record({
  count: fc.integer({ min: 0, max: 12 }),
  concurrency: fc.integer({ min: 1, max: 6 }),
  picks: fc.infiniteStream(fc.nat({ max: 1000 })),
});

function nextPick(picks: Setup["picks"]): number {
  return picks.next().value as number;
}

/** Answers the pending request that `pick` names; `fails` says which fail. */
function answerOne(running: Running[], pick: number, fails: (request: number) => boolean): void {
  const [one] = running.splice(pick % running.length, 1);
  if (!one) return;
  if (fails(one.request)) one.reject(new Error(`failed ${one.request}`));
  else one.resolve(`answer ${one.request}`);
}

describe("prefetch", () => {
  test("returns each response once, in the order of the requests", async () => {
    const check = async ({ count, concurrency, picks }: Setup) => {
      const { running, read, sent, send, readAnswer } = createService();
      const requests = [...Array(count).keys()];
      const ahead = prefetch({ requests, concurrency, signal: new AbortController().signal, send, read: readAnswer });
      const taken: string[] = [];
      for (const request of requests) {
        let answer: string | undefined;
        const taking = ahead.take().then((one) => (answer = one));
        await settle();
        while (answer === undefined) {
          expect(sent.length - taken.length).toBeLessThanOrEqual(concurrency);
          // At most one response is read ahead, as they are large.
          expect(read.filter((one) => one > request)).toEqual([]);
          answerOne(running, nextPick(picks), () => false);
          await settle();
        }
        taken.push(await taking);
        expect(sent).toHaveLength(Math.min(count, taken.length + concurrency));
        expect(read.filter((one) => one > request + 1)).toEqual([]);
      }
      expect(taken).toEqual(requests.map((request) => `answer ${request}`));
      expect(sent).toEqual(requests);
      await ahead.cancel();
    };
    await fc.assert(fc.asyncProperty(setups, check), { numRuns: draws(60, 150) });
  });

  test("sends no request before the first take", async () => {
    const { sent, send, readAnswer } = createService();
    const ahead = prefetch({
      requests: [1, 2],
      concurrency: 2,
      signal: new AbortController().signal,
      send,
      read: readAnswer,
    });
    await settle();
    await ahead.cancel();
    expect(sent).toEqual([]);
  });

  test("rejects at the failed request, not before, and with no later failure", async () => {
    const check = async ({ concurrency, picks }: Setup, failing: readonly number[]) => {
      const { running, send, readAnswer } = createService();
      const ahead = prefetch({
        requests: [...Array(10).keys()],
        concurrency,
        signal: new AbortController().signal,
        send,
        read: readAnswer,
      });
      const first = Math.min(...failing);
      for (let request = 0; request <= first; request++) {
        let outcome: unknown;
        const taking = ahead.take().then(
          (answer) => (outcome = answer),
          (error: unknown) => (outcome = error),
        );
        while (outcome === undefined) {
          answerOne(running, nextPick(picks), (one) => failing.includes(one));
          await settle();
        }
        expect(await taking).toEqual(request < first ? `answer ${request}` : new Error(`failed ${first}`));
      }
      await ahead.cancel();
      await settle();
    };
    const failures = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1 });
    await fc.assert(fc.asyncProperty(setups, failures, check), { numRuns: draws(60, 150) });
  });

  test.each(["cancel", "abort"] as const)("%s aborts pending requests and starts no more", async (how) => {
    const controller = new AbortController();
    const { running, sent, send, readAnswer } = createService();
    const ahead = prefetch({
      requests: [...Array(9).keys()],
      concurrency: 4,
      signal: controller.signal,
      send,
      read: readAnswer,
    });
    const taking = ahead.take().catch((error: unknown) => error);
    await settle();
    expect(running.map(({ signal }) => signal.aborted)).toEqual([false, false, false, false]);
    const reason = new Error("stop");
    if (how === "abort") controller.abort(reason);
    await ahead.cancel();
    expect(running.map(({ signal }) => signal.aborted)).toEqual([true, true, true, true]);
    expect(await taking).toEqual(how === "abort" ? reason : new Error("cancelled"));
    await settle();
    expect(sent).toHaveLength(4);
  });

  test("many concurrent requests cause no listener warning of Node", async () => {
    const warnings: Error[] = [];
    const heed = (warning: Error) => warnings.push(warning);
    process.on("warning", heed);
    const { sent, send, readAnswer } = createService();
    const ahead = prefetch({
      requests: [...Array(40).keys()],
      concurrency: 40,
      signal: new AbortController().signal,
      send,
      read: readAnswer,
    });
    const taking = ahead.take().catch(() => "failed");
    await settle();
    await ahead.cancel();
    await settle();
    process.off("warning", heed);
    expect([sent.length, await taking, warnings]).toEqual([40, "failed", []]);
  });

  test("cancel waits for pending requests, also slow ones", async () => {
    let ended = 0;
    const send = async (_: number, signal: AbortSignal) => {
      while (!signal.aborted) await settle();
      for (let rest = 0; rest < 5; rest++) await settle();
      ended++;
      signal.throwIfAborted();
      return "";
    };
    const ahead = prefetch({
      requests: [...Array(9).keys()],
      concurrency: 5,
      signal: new AbortController().signal,
      send,
      read: async () => "",
    });
    const taking = ahead.take().catch(() => "failed");
    await ahead.cancel();
    expect(ended).toBe(5);
    expect(await taking).toBe("failed");
  });
});
