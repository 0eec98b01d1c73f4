/** What an output holds and where it comes from, as a Frictionless Data Package (datapackage.org, version 2). */
import { type JsonObject, toJsonText } from "../base/json.ts";
import { isMetric, METRICS } from "../base/vocabulary.ts";
import type { AnswerHead } from "../series/answer.ts";
import { formatInstant } from "../series/series-log.ts";
import { formatLocalTime, type LocalTime } from "../time/local-time.ts";
import { nameZone, type Zone } from "../time/zone.ts";
import type { Provenance, Field } from "./format.ts";
import type { Query } from "../query/query.ts";

export interface PackageFacts {
  /** Undefined for what is no table, such as a picture. */
  readonly columns: readonly Field[] | undefined;
  /** Undefined for a table without series, and for users of the library. */
  readonly provenance: Provenance | undefined;
  /** The zone of wall clocks. */
  readonly zone: Zone;
  /** The answers that the output is made of, as `AnswerLog` lists them. */
  readonly requests: readonly JsonObject[];
  /** More about each file, once it is finished: path, bytes, hash. */
  readonly files?: readonly JsonObject[];
  /** Texts that stand for a null; by default none but the empty one. */
  readonly missingValues?: readonly string[] | undefined;
  /** More about the run and what it wrote. */
  readonly more?: JsonObject;
}

/** It has nothing of the moment: the same answers and command line give the same description. It names no licence, as ents knows none. */
export function describePackage(facts: PackageFacts): JsonObject {
  const { columns, provenance, zone, requests, files = [{}], missingValues, more } = facts;
  const fields = columns?.map((column) => describeField(column, provenance, zone));
  const schema = fields && { fields, ...(missingValues ? { missingValues } : {}) };
  return {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    resources: files.map((file) => ({
      name: provenance ? nameResource(provenance, file) : "data",
      ...(schema ? { type: "table" } : {}),
      ...file,
      ...(schema ? { schema } : {}),
    })),
    ...(provenance ? { sources: [describeSource(provenance)] } : {}),
    ents: { ...(provenance ? describeRun(provenance) : {}), ...more, requests },
  };
}

/** Data Package names are of lower case. Files of one package differ in their folders. */
function nameResource({ query: { command, network, interval } }: Provenance, { path }: JsonObject): string {
  const folders = typeof path === "string" ? path.split("/").slice(0, -1) : [];
  const name = [network, command, interval ?? "", ...folders].join("-").toLowerCase();
  return name.replaceAll(/[^a-z0-9._-]+/g, "-").replace(/-$/, "");
}

const FIELD_TYPES = {
  instant: "datetime",
  "wall-clock": "datetime",
  epoch: "number",
  text: "string",
  boolean: "boolean",
  number: "number",
} as const;

function describeField(field: Field, provenance: Provenance | undefined, zone: Zone): JsonObject {
  const { name, type, unit, metric, format } = field;
  const description = type === "number" && metric !== undefined ? meaningOf(metric) : describeColumn(field, provenance, zone);
  return {
    name,
    type: FIELD_TYPES[type],
    ...(format === undefined ? {} : { format }),
    ...(unit ? { unit } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

function describeColumn({ name, type }: Field, provenance: Provenance | undefined, zone: Zone): string | undefined {
  if (provenance === undefined) return undefined;
  const meanings = provenance.query.metrics.map((metric) => [metric, meaningOf(metric)].filter(Boolean).join(": "));
  const descriptions: Readonly<Record<string, string>> = {
    timestamp: `Start of the bucket, ${describeTime(type, zone)}`,
    timestamp_local: `Start of the bucket, ${describeTime(type, zone)}`,
    interval_end: `End of the bucket, ${describeTime(type, zone)}`,
    network: "Network code",
    facility_code: "Facility code",
    facility_name: "Name of the facility",
    capacity: "Registered capacity of the unit",
    capacity_storage: "Storage capacity of the unit",
    first_data: "First time for which the service has data of the unit, in network time",
    last_data: "Last time for which the service has data of the unit, in network time",
    metric: meanings.join("; "),
    unit: "Unit of the value",
    value: "Value of the metric",
  };
  return Object.hasOwn(descriptions, name) ? descriptions[name] : undefined;
}

function describeTime(type: Field["type"], zone: Zone): string {
  if (type === "epoch") return "since 1970-01-01 UTC";
  return type === "instant" ? "as an instant" : `as a wall clock in ${nameZone(zone)}`;
}

function meaningOf(metric: string): string | undefined {
  return isMetric(metric) ? METRICS[metric].meaning : undefined;
}

function describeSource({ service }: Provenance): JsonObject {
  return /^https?:/.test(service) ? { title: "v4 service", path: service } : { title: service };
}

function describeRun({ version, command, query }: Provenance): JsonObject {
  const { start, end } = query.window;
  return {
    version,
    command,
    endpoint: query.command,
    network: query.network,
    metrics: query.metrics,
    interval: query.interval ?? null,
    parameters: listParameters(query),
    // In network time.
    window: { start: formatEdge(start), end: formatEdge(end) },
  };
}

/** The others of its parameters, by name. */
function listParameters({ parameters }: Query): JsonObject {
  const others = parameters.filter(({ name }) => !["metrics", "interval", "date_start", "date_end"].includes(name));
  return Object.fromEntries(others.map(({ name, values }) => [name, values]));
}

function formatEdge(edge: LocalTime | undefined): string | null {
  return edge === undefined ? null : formatLocalTime(edge);
}

/** The requests that an output is made of, with their answers. */
export class AnswerLog {
  readonly #answers = new Map<string, { readonly request: JsonObject; readonly span: AnswerHead["span"] }>();

  add(heads: readonly AnswerHead[]): void {
    for (const { envelope, hasData, path, span } of heads) {
      const { version = null, created_at = null } = envelope;
      // An answer without data may be made up by ents, which has no version or time of its own.
      const request = { ...(path === undefined ? {} : { path }), ...(hasData ? { version, created_at } : {}) };
      // Two parts of one answer may be used.
      this.#answers.set(`${path ?? toJsonText(request)} ${span?.join()}`, { request, span });
    }
  }

  /**
   * Path and parameters, version and time of the answer, in the order of the windows. A row is from the last one (of its code,
   * where codes are asked for in batches) whose `rows_from` is not after it.
   */
  list(): readonly JsonObject[] {
    return [...this.#answers.values()].map(({ request, span }) => (span ? { ...request, rows_from: formatInstant(span[0]) } : request));
  }
}
