/** A service that lists its facilities and has two hours of power for each requested unit. */
import { HOUR, envelope, TOKEN } from "../e2e/envelopes.ts";
import type { Home } from "../support/run-ents.ts";
import type { Run, RunOptions } from "../support/run-in-process.ts";
import { type Answer, type ScriptedService, startService } from "../support/scripted-service.ts";

interface ListedUnit {
  readonly code: string;
  readonly fueltech_id?: string;
  readonly status_id?: string;
  readonly capacity_registered?: number;
  readonly capacity_storage?: number;
  readonly data_first_seen?: string;
  readonly data_last_seen?: string;
  readonly commencement_date?: string;
}

export interface ListedFacility {
  readonly code: string;
  readonly name: string;
  readonly network_id: string;
  readonly network_region?: string;
  readonly units: readonly ListedUnit[];
}

const wind = (code: string, capacity: number, status = "operating"): ListedUnit => ({
  code,
  fueltech_id: "wind",
  status_id: status,
  capacity_registered: capacity,
});

export const FACILITIES: readonly ListedFacility[] = [
  {
    code: "HORNSDALE",
    name: "Hornsdale",
    network_id: "NEM",
    network_region: "SA1",
    units: [wind("HDWF2", 102.4), wind("HDWF1", 102.4), wind("HDWF9", 0.1, "committed")],
  },
  {
    code: "HPR",
    name: "Hornsdale Power Reserve",
    network_id: "NEM",
    network_region: "SA1",
    units: [
      {
        code: "HPRG1",
        fueltech_id: "battery_discharging",
        status_id: "operating",
        capacity_registered: 150,
        capacity_storage: 193.5,
        data_first_seen: "2017-11-26T10:05:00+10:00",
        data_last_seen: "2025-01-01T01:55:00+10:00",
        commencement_date: "2017-12-01T00:00:00+10:00",
      },
    ],
  },
  { code: "ARWF", name: "Ararat", network_id: "NEM", network_region: "VIC1", units: [wind("ARWF1", 241)] },
  {
    code: "W/HOE",
    name: "Wivenhoe",
    network_id: "NEM",
    network_region: "QLD1",
    units: [{ code: "W/HOE#1" }, { code: "W/HOE#2" }],
  },
  { code: "ALBANY", name: "Albany", network_id: "WEM", network_region: "WEM", units: [wind("ALBANY_WF1", 21.6)] },
];

/** Facilities in SA1 with two wind units each. */
export function listFarms(count: number): ListedFacility[] {
  return Array.from({ length: count }, (_, index) => {
    const code = `F${String(index).padStart(3, "0")}`;
    return {
      code,
      name: `Farm ${index}`,
      network_id: "NEM",
      network_region: "SA1",
      units: [wind(`${code}A`, index), wind(`${code}B`, 1)],
    };
  });
}

export interface UnitService extends ScriptedService {
  /** How often the list was requested. */
  countLists(): number;
  /** The codes of each data request: facilities and units. */
  listCodes(): { readonly facilities: string[]; readonly units: string[] }[];
  /** Changes the list from now on. */
  relist(facilities: readonly ListedFacility[]): void;
  /** The service is unavailable from this data request on. */
  failFrom(request: number | undefined): void;
  run(home: Home, args: readonly string[], options?: RunOptions): Promise<Run>;
}

interface Script {
  /** The response instead of the list. */
  readonly list?: Answer;
  /** Units that are listed but have no data. */
  readonly silent?: readonly string[];
}

export async function startUnitService(
  facilities: readonly ListedFacility[],
  { list, silent = [] }: Script = {},
): Promise<UnitService> {
  let listed = facilities;
  let [count, failing] = [0, Number.POSITIVE_INFINITY];
  const service = await startService(({ url }) => {
    if (isList(url)) return list ?? { body: { success: true, data: listed, total_records: listed.length } };
    if (++count >= failing) return { status: 503 };
    const units = listed.flatMap((facility) => facility.units.map(({ code }) => ({ facility: facility.code, code })));
    const asked = readCodes(url);
    const matches = (wanted: readonly string[], code: string) => wanted.length === 0 || wanted.includes(code);
    const sent = units.filter(
      ({ facility, code }) => matches(asked.facilities, facility) && matches(asked.units, code),
    );
    const known = [...new Set(sent.map(({ code }) => code))].filter((code) => !silent.includes(code));
    if (known.length === 0)
      return { status: 404, body: { success: false, error: "No data available for the given parameters" } };
    return { body: envelope([{ series: known.map((code) => ({ labels: { unit_code: code }, points: HOUR })) }]) };
  });
  return {
    ...service,
    countLists: () => service.requests.filter(({ url }) => isList(url)).length,
    listCodes: () => service.requests.filter(({ url }) => !isList(url)).map(({ url }) => readCodes(url)),
    relist: (others) => void (listed = others),
    failFrom: (request = Number.POSITIVE_INFINITY) => void (failing = count + request),
    run: (home, args, options = {}) =>
      home.run(args, { ...options, env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN, ...options.env } }),
  };
}

function isList(url: string): boolean {
  return url.startsWith("/v4/facilities/");
}

function readCodes(url: string): { facilities: string[]; units: string[] } {
  const query = new URL(url, "http://service").searchParams;
  return { facilities: query.getAll("facility_code"), units: query.getAll("unit_code") };
}

/** Two hours of power of NEM facilities. */
export const POWER = "facilities NEM -m power -i 1h -s 2025-01-01T00:00 -e 2025-01-01T01:59:59".split(" ");
