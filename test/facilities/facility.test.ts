/** Facilities and units: what is read from a service's list, and their capacity. */
import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/base/json.ts";
import { sumCapacity, type Unit } from "../../src/facilities/facility.ts";
import { parseFacilities } from "../../src/facility-list/parse-facilities.ts";

describe("the capacity of units", () => {
  const unit = (fueltech: string, capacity: string | undefined, isLoad = false) =>
    ({ fueltech, capacity, isLoad, facts: {} }) as Unit;

  test.each<[what: string, units: Unit[], sum: string | undefined]>([
    ["is their sum", [unit("wind", "1.5"), unit("wind", "2")], "3.5"],
    ["has no digits of a binary sum", [unit("wind", "0.1"), unit("wind", "0.2")], "0.3"],
    ["leaves out what is not known", [unit("wind", "1.5"), unit("wind", undefined)], "1.5"],
    ["is not known where that of none is", [unit("wind", undefined)], undefined],
    ["leaves out what takes power", [unit("hydro", "500"), unit("pumps", "240", true)], "500"],
    [
      "counts a battery once beside its discharging",
      [unit("battery_discharging", "150"), unit("battery", "150")],
      "150",
    ],
    ["counts a battery that stands alone", [unit("battery", "150")], "150"],
  ])("%s", (_what, units, sum) => {
    expect(sumCapacity(units)).toBe(sum);
  });
});

describe("a list", () => {
  const read = (facility: object) =>
    parseFacilities(parseJson(JSON.stringify({ data: [{ code: "A", network_id: "NEM", ...facility }] })))[0];
  const readUnit = (unit: object) => read({ units: [{ code: "A1", ...unit }] })?.units[0];

  test("is as in the service's list", () => {
    const sent = {
      fueltech_id: "wind",
      status_id: "operating",
      data_first_seen: "2001",
      data_last_seen: "2026",
      dispatch_type: "GENERATOR",
    };
    expect(
      read({
        name: "Alpha",
        network_region: "SA1",
        units: [{ code: "A1", ...sent, capacity_registered: 12.5, capacity_maximum: 99 }],
      }),
    ).toEqual({
      code: "A",
      name: "Alpha",
      network: "NEM",
      region: "SA1",
      units: [
        {
          code: "A1",
          fueltech: "wind",
          status: "operating",
          capacity: "12.5",
          capacityMaximum: "99",
          storage: undefined,
          firstData: "2001",
          lastData: "2026",
          facts: {},
          isLoad: false,
        },
      ],
    });
  });

  test.each<[what: string, facility: object, expected: object]>([
    ["no name: the code", {}, { name: "A" }],
    ["a name that is no text: the code", { name: 5 }, { name: "A" }],
    ["a region that is no text: none", { network_region: ["SA1"] }, { region: undefined }],
    ["units that are no list: none", { units: "A1" }, { units: [] }],
    ["a unit without a code: none", { units: [{ fueltech_id: "wind" }, null] }, { units: [] }],
    ["a code that is a number: its digits", { code: 7, units: [{ code: 70 }] }, { code: "7", units: [{ code: "70" }] }],
  ])("%s", (_what, facility, expected) => {
    expect(read(facility)).toMatchObject(expected);
  });

  test.each<[what: string, unit: object, expected: object]>([
    [
      "fueltech, status and dates that are no text: none",
      { fueltech_id: 1, status_id: {}, data_first_seen: 2001, data_last_seen: [] },
      {
        fueltech: undefined,
        status: undefined,
        firstData: undefined,
        lastData: undefined,
      },
    ],
    ["without a registered capacity: the maximum", { capacity_maximum: 99 }, { capacity: "99" }],
    ["without a maximum capacity: none", { capacity_registered: 99 }, { capacity: "99", capacityMaximum: undefined }],
    ["a capacity as text: its number", { capacity_registered: "12.50" }, { capacity: "12.50" }],
    ["a capacity that is no number: none", { capacity_registered: "large" }, { capacity: undefined }],
    ["storage, in the digits of the service", { capacity_storage: 193.5 }, { storage: "193.5" }],
    ["storage that is no number: none", { capacity_storage: null }, { storage: undefined }],
    ["what takes power by its dispatch", { dispatch_type: "LOAD" }, { isLoad: true }],
    ["what takes power by its fueltech", { fueltech_id: "pumps" }, { isLoad: true }],
    ["what charges", { fueltech_id: "battery_charging" }, { isLoad: true }],
    ["what generates", { fueltech_id: "battery_discharging" }, { isLoad: false }],
  ])("%s", (_what, unit, expected) => {
    expect(readUnit(unit)).toMatchObject(expected);
  });

  // The public service (4.5.11) gives the offset of the preceding facility; the wall clock is right for the network.
  test.each<[network: string, sent: string, firstData: string]>([
    ["WEM", "2025-07-21T07:55:00+08:00", "2025-07-21T07:55:00+08:00"],
    ["WEM", "2025-07-21T07:55:00+10:00", "2025-07-21T07:55:00+08:00"],
    ["NEM", "2021-05-18T09:55:00+08:00", "2021-05-18T09:55:00+10:00"],
    ["NEM", "2021-05-18T09:55:00", "2021-05-18T09:55:00+10:00"],
    ["NEM", "2021-05-18T09:55:00.250", "2021-05-18T09:55:00.250+10:00"],
    ["NEM", "2021-05-17T23:55:00Z", "2021-05-17T23:55:00Z"],
    ["NEM", "2021-05-18T10:55:00+11:00", "2021-05-18T10:55:00+11:00"],
    ["NEM", "2021-05-18", "2021-05-18"],
    ["NZ", "2021-05-18T09:55:00+10:00", "2021-05-18T09:55:00+10:00"],
    ["NZ", "2021-05-18T09:55:00", "2021-05-18T09:55:00"],
  ])("dates are in network time: in %s, %s is %s", (network, sent, firstData) => {
    const units = [{ code: "A1", data_first_seen: sent, data_last_seen: sent }];
    expect(read({ network_id: network, units })?.units[0]).toMatchObject({ firstData, lastData: firstData });
  });
});
