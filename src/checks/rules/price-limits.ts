import { lengthOf } from "../../base/intervals.ts";
import { HOUR, MINUTE } from "../../time/local-time.ts";
import { findViolations, type Rule } from "../check.ts";

/** In $/MWh, by the year in which a financial year ends. Of other years no cap is known here. */
const CAPS: Readonly<Record<number, number>> = {
  2016: 13_800,
  2017: 14_000,
  2018: 14_200,
  2019: 14_500,
  2020: 14_700,
  2021: 15_000,
  2022: 15_100,
  2023: 15_500,
  2024: 16_600,
  2025: 17_500,
  2026: 20_300,
  2027: 23_200,
};
const FLOOR = -1000;

export const priceLimits: Rule = {
  name: "price-limits",
  says: "a price of the NEM is between the market floor and the cap of its financial year",
  needs: "the price of the NEM from July 2015 on, at 1h or finer",
  source: "the AEMC: -1,000 to 13,800 (FY2016) and 23,200 $/MWh (FY2027)",
  find: ({ series }) => {
    const own = series.filter(
      ({ metric, network, interval }) => metric === "price" && network === "NEM" && lengthOf(interval) <= HOUR,
    );
    let isChecked = false;
    const readings = own.flatMap((one) =>
      findViolations(one, (found, instant) => {
        const date = new Date(instant + one.offset * MINUTE);
        const cap = CAPS[date.getUTCFullYear() + (date.getUTCMonth() >= 6 ? 1 : 0)];
        isChecked ||= cap !== undefined;
        if (cap === undefined || !(found > cap || found < FLOOR)) return undefined;
        return found > cap ? cap : FLOOR;
      }),
    );
    return isChecked ? readings : undefined;
  },
};
