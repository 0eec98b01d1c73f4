/** Before each test file: no network, how many cases of a property and which, and what its helpers leave is removed at its end. */
import { setFlagsFromString } from "node:v8";
import fc from "fast-check";
import { afterAll } from "vitest";
import { cleanUp } from "./cleanup.ts";
import { compareBytesAtOnce } from "./equal-bytes.ts";
import { draws } from "./extent.ts";
import { watchNetwork } from "./no-network.ts";
import { SEED } from "./random.ts";

// Most code runs too few times here for the optimizing compiler to be worth its time: a fifth of all that tests take.
setFlagsFromString("--interrupt-budget=600000");
watchNetwork();
compareBytesAtOnce();
// Where a property does not say it itself.
fc.configureGlobal({ numRuns: draws(40, 300), seed: SEED });
afterAll(cleanUp);
