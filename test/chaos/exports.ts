/** The exports that faults are played on: each takes several requests, and its correct bytes are known. */
import { CUT, fetchWhole, QUERY, WHOLE } from "../faults/world-service.ts";
import type { Chance } from "../support/chance.ts";
import { TIMEOUT } from "../support/patience.ts";
import { runEnts } from "../support/run-ents.ts";
import type { Fault } from "./fault.ts";

export interface Export {
  /** All arguments but the output. */
  readonly args: readonly string[];
  /** The correct bytes. */
  readonly right: string;
}

/** The correct bytes by service and format. */
export type Exports = ReadonlyMap<string, string>;

const SANDBOX = [
  "market",
  "NEM",
  "-m",
  "price",
  "-i",
  "1h",
  "-s",
  "2025-01-01",
  "-e",
  "2025-01-03",
  "--primary-grouping",
  "network_region",
];
const FORMATS = ["csv", "ndjson", "json"] as const;
const PATIENCE = ["--timeout", TIMEOUT, "--retries", "1", "-q"];

/** Fetches each export in a single request. */
export async function fetchExports(): Promise<Exports> {
  const exports = new Map<string, string>();
  for (const format of FORMATS) {
    exports.set(`service ${format}`, await fetchWhole(QUERY, ["-f", format]));
    exports.set(`sandbox ${format}`, (await runEnts([...SANDBOX, ...WHOLE, "-f", format, "--sandbox"])).stdout);
  }
  return exports;
}

export function chooseExport({ asks }: Fault, exports: Exports, chance: Chance): Export {
  const asked = asks ?? chance.pick(["the service", "the service", "the service", "the sandbox inside"]);
  const isService = asked === "the service";
  // json includes the time at which the sandbox answered, so its bytes differ.
  const format = chance.pick(isService ? FORMATS : (["csv", "ndjson"] as const));
  const query = isService ? [...QUERY, ...CUT] : [...SANDBOX, "--max-window", "12h", "--rate", "1000"];
  const inside = asked === "the sandbox inside" ? ["--sandbox"] : [];
  const right = exports.get(`${isService ? "service" : "sandbox"} ${format}`) ?? "";
  return { args: [...query, ...inside, ...PATIENCE, "-f", format], right };
}
