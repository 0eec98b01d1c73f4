/** What an assistant reads before it calls a tool, and prompts for its user. */

/** Clients cut long ones: the first 1,800 characters are all. */
export const INSTRUCTIONS = `Time series of Australian electricity: prices, demand, generation, emissions. get_market has prices, demand and flows; get_network what a network generates; get_facilities power stations. list_metrics and find_codes find names.

- Give an interval and a window (during, last, or date_start with date_end) in every call. An answer has 200 rows: take an interval that fits the question (a year: 1M or 1d), or let the tool compute (summary_only, top, profile, rolling, compare, per). Do not compute again what it can.
- Times are network time: NEM UTC+10, WEM UTC+8, no daylight saving. "yesterday" is the network's day; time_zone converts. A timestamp is the start of its interval.
- MW are means, MWh are sums: add up MWh, never MW. Prices, shares and intensities are ratios: ask for the coarser interval, do not average them.
- Storage counts once: battery is battery_discharging less battery_charging. Never add all three.
- Two renewable shares: renewable_proportion (get_market) is of demand, share by renewable (get_network) of what generates. Say which.
- Two prices: price is the spot price, average_price what generators earned for each MWh. A mean of price is by time unless it is demand_weighted_price.
- The newest values are provisional and the last interval may be under way: complete leaves it out, settled also what will be revised.
- null is a value that the service does not have, not zero. No rows: say so.
- Read messages first, and pass on warnings. If left_out is there, the rows are not all.
- Name source and licence, unit, window and time zone in your answer. Data of the sandbox are synthetic: never present them as real.`;

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: { readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly text: (given: Readonly<Record<string, string | undefined>>) => string;
}

const argument = (name: string, description: string, required = true) => ({ name, description, required });

export const PROMPTS: readonly Prompt[] = [
  {
    name: "compare_periods",
    title: "Compare two periods",
    description: "What changed between two periods: prices, demand and generation by fueltech",
    arguments: [
      argument("first", "a period, such as 2024-Q3 or FY2024"),
      argument("second", "a period as long, such as 2025-Q3 or FY2025"),
      argument("region", "a region of the NEM, such as NSW1; the whole NEM without it", false),
    ],
    text: ({ first = "last-fy", second = "this-fy", region }) => {
      const where = region ? `"network_region":["${region}"]` : '"group_by":["region"]';
      return `Compare ${first} with ${second} in ${region || "the NEM"}.
1. For each period (during): get_market {"network":"NEM","metrics":["price","demand_weighted_price"],"interval":"1M",${where},"summary_only":true}, and get_network with energy and group_by fueltech_group at 1M.
2. Set both side by side: what rose, what fell, by how much, in MWh and %. Say which average each price is.
3. Name source, licence, windows and time zone, and what is missing or provisional.`;
    },
  },
  {
    name: "week_in_pictures",
    title: "A week in pictures",
    description: "Generation, prices and demand of a week, as pictures with a few words",
    arguments: [
      argument("week", "last-week, this-week, or the Monday it begins on, such as 2025-01-27", false),
      argument("region", "a region of the NEM, such as SA1; the whole NEM without it", false),
    ],
    text: ({ week = "last-week", region }) => {
      const where = region ? `"network_region":["${region}"],` : "";
      const when = /^\d/.test(week) ? `"date_start":"${week}" with "date_end" six days later` : `"during":"${week}"`;
      return `Show ${week} in ${region || "the NEM"} in three pictures (format png), with ${when} in each call:
1. get_network {"network":"NEM",${where}"metrics":["power"],"interval":"1h","group_by":["fueltech_group"],"format":"png"}
2. get_market {"network":"NEM",${where}"metrics":["price"],"interval":"1h",${region ? "" : '"group_by":["region"],'}"format":"png"}
3. get_market {"network":"NEM",${where}"metrics":["demand","curtailment"],"interval":"1h","format":"png"}
Below each, one or two sentences on what is striking, with figures from summary_only. Name source and licence.`;
    },
  },
];
