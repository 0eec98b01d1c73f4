/** A day's quota, tested below HTTP, as the rate limit would make it take minutes. */
import { expect, test } from "vitest";
import { KeyUse } from "../../src/sandbox/http/limits.ts";
import { SandboxRefusal } from "../../src/sandbox/refusal.ts";
import { DAY } from "../../src/time/local-time.ts";
import { QUOTAS } from "../../src/base/vocabulary.ts";

test.each(["community", "academic"] as const)("%s: a spent quota looks like a bad token until the next day", (plan) => {
  let now = Date.parse("2026-03-01T23:00:00Z");
  const limits = new KeyUse(plan, () => now);
  for (let i = 0; i < QUOTAS[plan].perDay; i++) limits.spendQuota();
  expect(limits.remaining).toBe(0);
  expect(catchRefusal(() => limits.spendQuota())).toMatchObject({
    status: 401,
    body: { error: "Authentication failed" },
  });
  now += DAY / 24;
  expect(limits.remaining).toBe(QUOTAS[plan].perDay);
  limits.spendQuota();
  expect(limits.remaining).toBe(QUOTAS[plan].perDay - 1);
});

function catchRefusal(action: () => void): SandboxRefusal {
  try {
    action();
  } catch (error) {
    if (error instanceof SandboxRefusal) return error;
  }
  throw new Error("was not refused");
}
