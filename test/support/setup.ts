/** Before each test file: no network, and whatever its helpers leave is taken away at its end. */
import { afterAll } from "vitest";
import { cleanUp } from "./cleanup.ts";
import { watchNetwork } from "./no-network.ts";

watchNetwork();
afterAll(cleanUp);
