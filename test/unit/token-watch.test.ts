import { expect, test } from "vitest";
import { DEFAULT_RETRY, retryDelay, type RetryPolicy } from "../../src/source/retry.ts";
import { createTokenWatch, type TokenWatch } from "../../src/source/token-watch.ts";

let now = 0;
const start = () => createTokenWatch({ replace: "replace it" }, () => now);

/** Whether a request is retried after its first attempt got a 401. */
function isRetried(watch: TokenWatch, policy: RetryPolicy = DEFAULT_RETRY, failures = 1): boolean {
  return (
    retryDelay({ failures, retryAfterMs: undefined, random: 0.5 }, watch.limitRetries(policy, failures)) !== undefined
  );
}

/** A request that is sent now and refused a moment later. */
function refuse(watch: TokenWatch): boolean {
  const sentAt = now++;
  watch.refuse(sentAt);
  now++;
  return isRetried(watch);
}

test("a token that has not worked is refused", () => {
  const watch = start();
  expect(refuse(watch)).toBe(false);
  expect(watch.advise()).toBe("replace it; a spent daily quota looks the same: if it worked today, try again tomorrow");
});

test("one that has worked is tried twice more, then its quota is the likely cause", () => {
  const watch = start();
  watch.accept();
  expect([refuse(watch), refuse(watch), refuse(watch)]).toEqual([true, true, false]);
  expect(watch.advise()).toBe(
    "it worked earlier in this run, so its daily quota is probably spent: try again tomorrow, or replace it",
  );
});

test("requests that were in progress together are refused once", () => {
  const watch = start();
  watch.accept();
  const sent = [now++, now++, now++, now++];
  for (const sentAt of sent) {
    now++;
    watch.refuse(sentAt);
    expect(isRetried(watch)).toBe(true);
  }
  expect([refuse(watch), refuse(watch)]).toEqual([true, false]);
});

test("a response in between resets the count", () => {
  const watch = start();
  for (let round = 0; round < 5; round++) {
    watch.accept();
    expect([refuse(watch), refuse(watch)]).toEqual([true, true]);
  }
});

test("failures of other kinds do not count against it, but --retries does", () => {
  const watch = start();
  watch.accept();
  watch.refuse(now++);
  expect(isRetried(watch, { ...DEFAULT_RETRY, retries: 4 }, 4)).toBe(true);
  expect(isRetried(watch, { ...DEFAULT_RETRY, retries: 4 }, 5)).toBe(false);
  expect(isRetried(watch, { ...DEFAULT_RETRY, retries: 0 })).toBe(false);
});
