/** What an output holds and where it comes from, as a Frictionless Data Package (datapackage.org, version 2). */
import type { JsonObject } from "../base/json.ts";
import { isMetric, METRICS } from "../base/vocabulary.ts";
import type { AnswerHead } from "../series/answer.ts";
import { formatLocalTime, type LocalTime } from "../time/local-time.ts";
import type { Zone } from "../time/zones.ts";
import type { TypedColumn } from "./columnar/columns.ts";
import type { About } from "./format.ts";

export interface PackageFacts {
  readonly columns: readonly TypedColumn[];
  /** Undefined for a table without series, and for users of the library. */
  readonly about: About | undefined;
  /** The zone of wall clocks. */
  readonly zone: Zone;
  readonly answers: AnswerLog;
  /** More about the file, once that is finished: path, bytes, hash. */
  readonly file?: JsonObject;
}

/** The same for the same answers and command line. Names no licence: ents knows none. */
export function describePackage({ columns, about, zone, answers, file }: PackageFacts): JsonObject {
  return {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    resources: [
      {
        name: about ? nameResource(about) : "data",
        type: "table",
        ...file,
        schema: { fields: columns.map((column) => describeField(column, about, zone)) },
      },
    ],
    ...(about ? { sources: [describeSource(about)] } : {}),
    ents: { ...(about ? describeRun(about) : {}), requests: answers.listRequests(), answers: answers.list() },
  };
}

/** Data Package names are of lower case. */
function nameResource({ query: { command, network, interval } }: About): string {
  const name = [network, command, interval ?? ""].join("-").toLowerCase();
  return name.replaceAll(/[^a-z0-9._-]+/g, "-").replace(/-$/, "");
}

const FIELD_TYPES = { instant: "datetime", "wall-clock": "datetime", text: "string", boolean: "boolean", number: "number" } as const;

function describeField({ name, type, unit, metric }: TypedColumn, about: About | undefined, zone: Zone): JsonObject {
  const description = type === "number" && metric !== undefined ? meaningOf(metric) : describeColumn(name, about, zone);
  return {
    name,
    type: FIELD_TYPES[type],
    ...(unit ? { unit } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

function describeColumn(name: string, about: About | undefined, zone: Zone): string | undefined {
  if (about === undefined) return undefined;
  const meanings = about.query.metrics.map((metric) => [metric, meaningOf(metric)].filter(Boolean).join(": "));
  const descriptions: Readonly<Record<string, string>> = {
    timestamp: "Start of the bucket, as an instant",
    timestamp_local: `Start of the bucket, as a wall clock ${zone.name === "network" ? "in network time" : `in ${zone.name}`}`,
    interval_end: "End of the bucket, as an instant",
    network: "Network code",
    metric: meanings.join("; "),
    unit: "Unit of the value",
    value: "Value of the metric",
  };
  return Object.hasOwn(descriptions, name) ? descriptions[name] : undefined;
}

function meaningOf(metric: string): string | undefined {
  return isMetric(metric) ? METRICS[metric].meaning : undefined;
}

function describeSource({ service }: About): JsonObject {
  return /^https?:/.test(service) ? { title: "v4 service", path: service } : { title: service };
}

function describeRun({ version, command, query }: About): JsonObject {
  const { start, end } = query.window;
  return {
    version,
    command,
    network: query.network,
    metrics: query.metrics,
    interval: query.interval ?? null,
    // In network time.
    window: { start: formatEdge(start), end: formatEdge(end) },
  };
}

function formatEdge(edge: LocalTime | undefined): string | null {
  return edge === undefined ? null : formatLocalTime(edge);
}

/** The answers that an output is made of. */
export class AnswerLog {
  readonly #requests = new Set<string>();
  readonly #answers = new Map<string, JsonObject>();

  add(heads: readonly AnswerHead[]): void {
    for (const { envelope, hasData, path } of heads) {
      const { version = null, created_at = null } = envelope;
      if (path !== undefined) this.#requests.add(path);
      // Those of "no data" may be of ents.
      if (hasData) this.#answers.set(JSON.stringify([version, created_at]), { version, created_at });
    }
  }

  /** Path and parameters, in the order of the windows. */
  listRequests(): readonly string[] {
    return [...this.#requests];
  }

  /** Version and time, without duplicates, in the order of the windows. */
  list(): readonly JsonObject[] {
    return [...this.#answers.values()];
  }
}
