/** The questions of test/golden/tasks.md, each by one call of a tool; docs/programs.md says what each answer takes. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../docs/markdown.ts";
import { FULL } from "../support/extent.ts";
import { type Result, serve } from "../support/mcp-client.ts";
import { createHome } from "../support/run-ents.ts";
import { expectText, WRITES_TEXTS } from "../support/texts.ts";

const NEM = { network: "NEM" };
const PRICE = { ...NEM, metrics: ["price"], interval: "1h" };

/** A question as in the heading of its task, and the call that answers it. */
const TASKS: readonly (readonly [question: string, tool: string, input: object])[] = [
  ["Yesterday's prices of a state", "get_market", { ...PRICE, during: "2025-01-31", network_region: ["NSW1"] }],
  [
    "Demand, price and curtailment of all regions, as a picture",
    "get_market",
    {
      ...NEM,
      metrics: ["price", "demand", "curtailment"],
      interval: "30m",
      date_start: "2025-01-30",
      date_end: "2025-01-31",
      group_by: ["region"],
      format: "png",
    },
  ],
  [
    "A year of generation by fuel, for a spreadsheet",
    "get_network",
    { ...NEM, metrics: ["energy"], interval: "1M", during: "2024", group_by: ["fueltech_group"], output: "fuels.xlsx" },
  ],
  [
    "The emissions intensity of each state",
    "get_network",
    { ...NEM, metrics: ["emissions_intensity"], interval: "1M", during: "2024-Q4", group_by: ["region"] },
  ],
  [
    "What solar farms earn for a MWh",
    "get_network",
    {
      ...NEM,
      metrics: ["average_price"],
      interval: "1M",
      during: "2024-Q4",
      group_by: ["fueltech"],
      fueltech: ["solar_utility", "wind"],
    },
  ],
  [
    "The capacity factor of a wind farm",
    "get_facilities",
    {
      ...NEM,
      metrics: ["capacity_factor"],
      interval: "1M",
      during: "2024-Q4",
      facility: ["hornsdale wind"],
      group_by: ["facility"],
    },
  ],
  [
    "The share of renewables in a financial year",
    "get_network",
    { ...NEM, metrics: ["share"], interval: "fy", during: "FY2025", group_by: ["renewable"] },
  ],
  [
    "What a battery did",
    "get_facilities",
    {
      ...NEM,
      metrics: ["power"],
      interval: "1h",
      date_start: "2025-01-31T12:00",
      date_end: "2025-01-31T19:59",
      facility: ["hornsdale reserve"],
    },
  ],
  ["The batteries of a state, and how much they store", "find_codes", { list: "facilities", text: "battery victoria" }],
  [
    "A price above all others",
    "get_market",
    { ...PRICE, interval: "5m", during: "2025-07", group_by: ["region"], top: 1 },
  ],
  [
    "Prices as the next program wants them",
    "get_market",
    { ...PRICE, date_start: "2025-01-31T22:00", date_end: "2025-01-31T23:00", group_by: ["region"], pivot: "region" },
  ],
  [
    "Two years of a station, for a notebook",
    "get_facilities",
    {
      ...NEM,
      metrics: ["power"],
      interval: "1h",
      date_start: "2023",
      date_end: "2024",
      facility: ["bayswater"],
      output: "bayswater.parquet",
      max_requests: 30,
    },
  ],
  [
    "How much of what can be checked is there",
    "get_network",
    {
      ...NEM,
      metrics: ["energy"],
      interval: "1M",
      during: "2024-Q4",
      group_by: ["fueltech_group"],
      network_region: ["SA1"],
      summary_only: true,
    },
  ],
  [
    "What flows between the states",
    "get_market",
    {
      ...NEM,
      metrics: ["flow_imports", "flow_exports"],
      interval: "1h",
      date_start: "2025-01-31T20:00",
      date_end: "2025-01-31T21:00",
      group_by: ["region"],
    },
  ],
  [
    "Western Australia",
    "get_market",
    {
      network: "WEM",
      metrics: ["price", "demand"],
      interval: "1h",
      date_start: "2025-01-31T20:00",
      date_end: "2025-01-31T22:00",
    },
  ],
  ["Which metrics there are", "list_metrics", { text: "renewable" }],
  [
    "A file that is kept current",
    "get_market",
    {
      ...PRICE,
      interval: "1d",
      date_start: "2025-01-01",
      date_end: "2025-01-31",
      group_by: ["region"],
      output: "price.csv",
      update: true,
    },
  ],
  [
    "A picture for a slide",
    "get_network",
    { ...NEM, metrics: ["power"], interval: "5m", during: "2025-01-31", group_by: ["fueltech"], output: "power.svg" },
  ],
  [
    "Negative hours, this year and last",
    "get_market",
    {
      ...PRICE,
      date_start: "2024",
      date_end: "2025",
      network_region: ["SA1"],
      below: "0",
      summary_only: true,
      per: "year",
      max_requests: 30,
    },
  ],
  [
    "Renewable share by state and quarter",
    "get_network",
    {
      ...NEM,
      metrics: ["share"],
      interval: "3M",
      during: "2024",
      group_by: ["region", "renewable"],
      pivot: "renewable",
    },
  ],
  [
    "The ten largest stations of a financial year",
    "get_facilities",
    {
      ...NEM,
      metrics: ["energy"],
      interval: "1M",
      during: "2025-06",
      rolling: "12M",
      group_by: ["facility"],
      status: ["operating", "retired"],
      top: 10,
      with: ["facility_name", "capacity"],
    },
  ],
  [
    "Solar's average day, year by year, in one picture",
    "get_network",
    {
      ...NEM,
      metrics: ["power"],
      interval: "1h",
      date_start: "2023",
      date_end: "2024",
      fueltech: ["solar_utility"],
      profile: "day",
      per: "year",
      format: "png",
      max_requests: 30,
    },
  ],
  ["An alarm on a price", "get_market", { ...PRICE, during: "2025-01-31", network_region: ["NSW1"], above: "500" }],
  [
    "Capacity factors of all wind farms, with names and capacity, by month",
    "get_facilities",
    {
      ...NEM,
      metrics: ["capacity_factor"],
      interval: "1M",
      during: "2025-01",
      network_region: ["SA1"],
      fueltech: ["wind"],
      group_by: ["facility"],
      with: ["facility_name", "capacity"],
    },
  ],
  [
    "The cheapest three hours in a row of each day",
    "get_market",
    {
      ...PRICE,
      date_start: "2025-01-29",
      date_end: "2025-01-31",
      network_region: ["SA1"],
      rolling: "3h",
      bottom: 1,
      per: "day",
    },
  ],
  [
    "A price spread",
    "get_market",
    {
      ...PRICE,
      interval: "1d",
      date_start: "2025-01-30",
      date_end: "2025-01-31",
      network_region: ["NSW1", "VIC1"],
      minus: "VIC1",
    },
  ],
  [
    "Change on last year",
    "get_market",
    { ...NEM, metrics: ["demand"], interval: "1M", during: "2025-Q1", network_region: ["NSW1"], compare: "1y" },
  ],
  [
    "A table to paste",
    "get_market",
    {
      ...PRICE,
      interval: "1d",
      date_start: "2025-01-30",
      date_end: "2025-01-31",
      group_by: ["region"],
      pivot: "region",
    },
  ],
  [
    "Where stations are, and since when",
    "find_codes",
    { list: "units", text: "hornsdale", columns: ["unit_code", "facility_name", "latitude", "longitude", "commenced"] },
  ],
  [
    "Imports less exports",
    "get_market",
    { ...NEM, metrics: ["net_imports"], interval: "1d", during: "2025-01-31", group_by: ["region"], pivot: "region" },
  ],
];

/** They are about a command line: its price is `max_requests`, its errors are messages. */
const NOT_ASKED = ["What will it cost", "What it is that went wrong"];

const PAGE = join(ROOT, "docs/programs.md");

/** Of the call and its answer, four characters each, in steps of a hundred; `folder` has another length elsewhere. */
function countTokens([, tool, input]: (typeof TASKS)[number], result: Result, folder: string): number {
  return Math.ceil(JSON.stringify([tool, input, result]).replaceAll(folder, "").length / 400) * 100;
}

test("each question of the tasks has a call", () => {
  const titles = [...readFileSync(join(ROOT, "test/golden/tasks.md"), "utf8").matchAll(/^## (.*)/gm)].map(
    ([, title]) => title,
  );
  expect([...TASKS.map(([question]) => question), ...NOT_ASKED]).toEqual(expect.arrayContaining(titles));
  expect(titles).toHaveLength(TASKS.length + NOT_ASKED.length);
});

test.runIf(FULL)("each call is answered, in as many tokens as the page says", async () => {
  const home = createHome();
  mkdirSync(home.path("data"));
  const { call } = await serve(home, ["--sandbox", "--folder", "data"]);
  const lines: string[] = [];
  for (const task of TASKS) {
    const [question, tool, input] = task;
    const answer = await call(tool, input);
    expect({ question, isError: answer.isError, messages: answer.result.messages }).toMatchObject({
      question,
      isError: false,
    });
    const { rows = [], file } = answer.result;
    // Rows, a file, or a picture.
    expect(rows.length > 0 || file !== undefined || answer.content[1]?.["type"] === "image").toBe(true);
    lines.push(`| ${question} | \`${tool}\` | ${countTokens(task, answer.result, home.folder)} |`);
  }
  const page = readFileSync(PAGE, "utf8");
  const table = /(?<=\| question \| tool \| tokens \|\n\| --- \| --- \| --- \|\n)(\|.*\n)*/;
  const written = page.replace(table, `${lines.join("\n")}\n`);
  if (WRITES_TEXTS) writeFileSync(PAGE, written);
  expectText(written, WRITES_TEXTS ? written : page);
});
