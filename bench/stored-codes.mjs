/** Stores a list of facilities as large as the public service's, for completion. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SERVICE = "https://api.openelectricity.org.au/";

/** 600 facilities with 1,500 units. @param {string} directory of the cache */
export function storeCodes(directory) {
  const facilities = Array.from({ length: 600 }, (_, index) => ({
    code: `STATION${index}`,
    name: `Station number ${index}`,
    network: "NEM",
    region: "SA1",
    units: Array.from({ length: index % 2 === 0 ? 2 : 3 }, (_unit, number) => ({
      code: `UNIT${index}_${number}`,
      fueltech: "wind",
      status: "operating",
      capacity: "100.5",
      capacityMaximum: "100.5",
      firstData: "2001-01-01T00:00:00+10:00",
      lastData: "2026-01-01T00:00:00+10:00",
      facts: {},
      isLoad: false,
    })),
  }));
  mkdirSync(join(directory, "codes"), { recursive: true, mode: 0o700 });
  const list = { version: 4, service: SERVICE, receivedAt: Date.now(), facilities };
  writeFileSync(join(directory, "codes", `${encodeURIComponent(SERVICE)}.json`), JSON.stringify(list));
}
