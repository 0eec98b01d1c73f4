/** Before each test file: no network, so many cases of each property, and whatever its helpers leave is taken away at its end. */
import { setFlagsFromString } from "node:v8";
import fc from "fast-check";
import { afterAll } from "vitest";
import { cleanUp } from "./cleanup.ts";
import { compareBytesAtOnce } from "./equal-bytes.ts";
import { runs } from "./extent.ts";
import { watchNetwork } from "./no-network.ts";

// Most code runs too few times here for the optimizing compiler to be worth its time: a fifth of all that tests take.
setFlagsFromString("--interrupt-budget=600000");
watchNetwork();
compareBytesAtOnce();
// Where a property does not say it itself.
fc.configureGlobal({ numRuns: runs(40, 300) });
afterAll(cleanUp);
