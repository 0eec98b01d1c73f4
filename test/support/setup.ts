/** Before each test file: blocks the network, sets the number and seed of random cases, and cleans up at the end. */
import { setFlagsFromString } from "node:v8";
import fc from "fast-check";
import { afterAll } from "vitest";
import { cleanUp } from "./cleanup.ts";
import { compareBytesAtOnce } from "./equal-bytes.ts";
import { draws } from "./extent.ts";
import { watchNetwork } from "./no-network.ts";
import { SEED } from "./random.ts";

// Most code runs too rarely here for optimization to pay; without it, tests take a fifth less time. Later releases do not
// have this flag.
if (process.version.startsWith("v20.")) setFlagsFromString("--interrupt-budget=600000");
watchNetwork();
compareBytesAtOnce();
// Unless a property sets its own.
fc.configureGlobal({ numRuns: draws(40, 300), seed: SEED });
afterAll(cleanUp);
