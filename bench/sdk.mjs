/** Uses the official SDK as in its documentation: one call per request, and the rows of its table as CSV. */
import { readFileSync } from "node:fs";
import { OpenElectricityClient } from "openelectricity";

const urls = readFileSync(process.argv[2] ?? "", "utf8")
  .split("\n")
  .map((url) => new URL(url));
const client = new OpenElectricityClient({ apiKey: process.env["ENTS_TOKEN"] ?? "", baseUrl: `${urls[0]?.origin}/v4` });

process.stdout.write("interval,region,price,demand\n");
for (const { searchParams } of urls) {
  const { datatable } = await client.getMarket("NEM", ["price", "demand"], {
    interval: "5m",
    dateStart: searchParams.get("date_start") ?? "",
    dateEnd: searchParams.get("date_end") ?? "",
    primaryGrouping: "network_region",
  });
  const rows = (datatable?.getRows() ?? []).map(
    (row) => `${row.interval.toISOString()},${row["region"]},${row["price"]},${row["demand"]}\n`,
  );
  if (!process.stdout.write(rows.join("")))
    await new Promise((resolve) => process.stdout.once("drain", () => resolve(undefined)));
}
