/** A list of facilities as the public service sends it, with its omissions. */
import type { Answer } from "../support/scripted-service.ts";

export const FACILITIES = [
  {
    code: "BAYSW",
    name: "Bayswater",
    network_id: "NEM",
    network_region: "NSW1",
    description: "<p>Coal</p>",
    location: { lat: -32.4, lng: 150.9 },
    units: ["BW01", "BW02"].map((code) => ({
      code,
      fueltech_id: "coal_black",
      status_id: "operating",
      capacity_registered: 660.5,
      data_first_seen: "1998-12-07T00:00:00+10:00",
      data_last_seen: "2026-01-02T00:00:00+10:00",
      dispatch_type: "GENERATOR",
    })),
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
        // Has the offset of the facility before it, which is in the WEM.
        data_first_seen: "2017-11-26T10:05:00+08:00",
        data_last_seen: "2026-01-02T00:00:00+08:00",
      },
      {
        code: "HPRL1",
        fueltech_id: "battery_charging",
        status_id: "operating",
        capacity_registered: 120,
        dispatch_type: "LOAD",
      },
    ],
  },
  {
    code: "0CAFE",
    name: "Café Ångström",
    network_id: "NEM",
    network_region: "SA1",
    units: [
      { code: "0CAFE1", fueltech_id: "wind", status_id: "mothballed", capacity_maximum: 12 },
      { code: "0CAFE2", fueltech_id: "wind", status_id: "operating" },
    ],
  },
  { code: "NOUNITS", name: "None", network_id: "WEM", network_region: "WEM", units: [] },
  { name: "without a code", network_id: "NEM" },
] as const;

export const LIST: Answer = {
  body: { version: "4.5", success: true, data: FACILITIES, total_records: FACILITIES.length },
};
