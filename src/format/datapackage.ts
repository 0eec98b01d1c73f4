/** Describes an output and its origin as a Frictionless Data Package (datapackage.org, version 2). */
import { describeTransforms } from "../query/transforms.ts";
import { type JsonObject, toJsonText } from "../base/json.ts";
import { ALL_METRICS } from "../base/computed-metrics.ts";
import { LABEL_MEANINGS } from "../base/vocabulary.ts";
import { isAddress } from "../options/address.ts";
import type { DecodedHead } from "../series/decoded-response.ts";
import { formatInstant, formatLocalTime, type LocalTime } from "../time/local-time.ts";
import { nameZone, type Zone } from "../time/zone.ts";
import type { Provenance, Field } from "./format.ts";

interface PackageFacts {
  /** Undefined if the output is not a table, such as a picture. */
  readonly columns: readonly Field[] | undefined;
  /** Undefined for a table without series, and for library users. */
  readonly provenance: Provenance | undefined;
  readonly zone: Zone;
  /** The responses that the output is made of, as `ResponseLog` lists them. */
  readonly requests: readonly JsonObject[];
  /** Path, bytes and hash of each file, once it is finished. */
  readonly files?: readonly JsonObject[];
  /** Texts that stand for null; by default only the empty text. */
  readonly missingValues?: readonly string[] | undefined;
  readonly more?: JsonObject;
}

/**
 * Independent of the time of the run: the same responses and command line give the same description. Names no licence
 * but the one that the service names.
 */
export function describePackage(facts: PackageFacts): JsonObject {
  const { columns, provenance, zone, requests, files = [{}], missingValues, more } = facts;
  const fields = columns?.map((column) => describeField(column, provenance, zone));
  const schema = fields && { fields, ...(missingValues ? { missingValues } : {}) };
  return {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    resources: files.map((file) => ({
      $schema: "https://datapackage.org/profiles/2.0/dataresource.json",
      name: provenance ? nameResource(provenance, file) : "data",
      ...(schema ? { type: "table" } : {}),
      ...file,
      ...(schema ? { schema } : {}),
    })),
    ...(provenance ? { sources: [describeService(provenance.service)] } : {}),
    ...(provenance?.terms ? { licenses: [{ title: provenance.terms.license, path: provenance.terms.url }] } : {}),
    ents: { ...(provenance ? describeRun(provenance) : {}), ...more, requests },
  };
}

/** Data Package names are lower case. Files of one package differ in their folders. */
function nameResource({ query: { command, network, interval } }: Provenance, { path }: JsonObject): string {
  const folders = typeof path === "string" ? path.split("/").slice(0, -1) : [];
  const name = [network, command, interval ?? "", ...folders].join("-").toLowerCase();
  return name.replaceAll(/[^a-z0-9._-]+/g, "-").replace(/-$/, "");
}

const FIELD_TYPES = {
  instant: "datetime",
  "wall-clock": "datetime",
  date: "date",
  epoch: "number",
  text: "string",
  boolean: "boolean",
  number: "number",
} as const;

function describeField(field: Field, provenance: Provenance | undefined, zone: Zone): JsonObject {
  const { name, heading = name, type, unit, metric, format } = field;
  const [title, meaning] = (Object.hasOwn(LABEL_MEANINGS, name) && LABEL_MEANINGS[name]) || [];
  const described =
    type === "number" && metric !== undefined ? meaningOf(metric, provenance) : describeColumn(field, provenance, zone);
  const description = meaning ?? described;
  return {
    name: heading,
    type: FIELD_TYPES[type],
    ...(format === undefined ? {} : { format }),
    ...(unit ? { unit } : {}),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

function describeColumn({ name, type }: Field, provenance: Provenance | undefined, zone: Zone): string | undefined {
  if (provenance === undefined) return undefined;
  const time = describeTimeType(type, zone);
  const meanings = provenance.query.metrics.map((metric) =>
    [metric, meaningOf(metric, provenance)].filter(Boolean).join(": "),
  );
  const descriptions: Readonly<Record<string, string>> = {
    timestamp: `Start of the interval, ${time}`,
    timestamp_local: `Start of the interval, ${time}`,
    interval_start: `Start of the interval, ${time}`,
    interval_end: `End of the interval, ${time}`,
    network: "Network code",
    facility_code: "Facility code",
    facility_name: "Name of the facility",
    capacity: "Registered capacity of the unit",
    capacity_maximum: "Maximum capacity of the unit",
    capacity_storage: "Storage capacity of the unit",
    emissions_factor: "Emissions per MWh, as the service lists them",
    latitude: "Latitude of the facility",
    longitude: "Longitude of the facility",
    commenced: "Day of commencement; of some units, a month or year is known alone",
    closed: "Day of closure; of some units, a month or year is known alone",
    expected_closure: "Day of the expected closure",
    max_generation: "Largest output that the service has seen of the unit",
    units: "Number of units that are added up",
    before: `Value of the same series, ${describeTransforms(provenance.query).at(-1) ?? "so long before"}`,
    change: "Value less the one before",
    change_percent: "Change, of the absolute value before",
    first_data: "First time for which the service has data of the unit, in network time",
    last_data: "Last time for which the service has data of the unit, in network time",
    metric: meanings.join("; "),
    unit: "Unit of the value",
    value: "Value of the metric",
    period: "Period of the profile",
    time: "Time of the day or week, or day of the year",
    n: "Number of values that the value is the mean of",
    share_of_time: "Share of the values that are as large or larger",
    age_seconds: "Seconds from the end of the interval until the command ran, 0 while it is under way",
  };
  return Object.hasOwn(descriptions, name) ? descriptions[name] : undefined;
}

function describeTimeType(type: Field["type"], zone: Zone): string {
  if (type === "epoch") return "since 1970-01-01 UTC";
  return type === "instant" ? "as an instant" : `as a wall clock in ${nameZone(zone)}`;
}

function meaningOf(metric: string, provenance: Provenance | undefined): string | undefined {
  const { computation } = provenance?.query ?? {};
  if (metric === "capacity_factor" && computation?.capacity === "registered")
    return "Energy, of what the registered capacity could have generated";
  return Object.hasOwn(ALL_METRICS, metric) ? ALL_METRICS[metric]?.meaning : undefined;
}

function describeService(service: string): JsonObject {
  return isAddress(service) ? { title: "v4 service", path: service } : { title: service };
}

function describeRun({ version, command, query, terms }: Provenance): JsonObject {
  const { start, end } = query.window;
  const others = query.parameters.filter(
    ({ name }) => !["metrics", "interval", "date_start", "date_end"].includes(name),
  );
  return {
    version,
    command,
    ...(terms ? { plan: terms.plan } : {}),
    endpoint: query.command,
    network: query.network,
    metrics: query.metrics,
    interval: query.interval ?? null,
    parameters: Object.fromEntries(others.map(({ name, values }) => [name, values])),
    // In network time.
    window: { start: formatEdge(start), end: formatEdge(end) },
  };
}

function formatEdge(edge: LocalTime | undefined): string | null {
  return edge === undefined ? null : formatLocalTime(edge);
}

export class ResponseLog {
  readonly #responses = new Map<string, { readonly request: JsonObject; readonly span: DecodedHead["span"] }>();

  add(heads: readonly DecodedHead[]): void {
    for (const { envelope, hasData, path, span } of heads) {
      const { version = null, created_at = null } = envelope;
      // A response without data may be made up by ents, without a version or time of its own.
      const request = { ...(path === undefined ? {} : { path }), ...(hasData ? { version, created_at } : {}) };
      // Two parts of one response may be used.
      this.#responses.set(`${path ?? toJsonText(request)} ${span?.join()}`, { request, span });
    }
  }

  /**
   * Lists path and parameters, version and time of each response, in the order of the windows. A row is from the last
   * response (for its code, where codes are fetched in batches) whose `rows_from` is not after the row.
   */
  list(): readonly JsonObject[] {
    return [...this.#responses.values()].map(({ request, span }) =>
      span ? { ...request, rows_from: formatInstant(span[0]) } : request,
    );
  }
}
