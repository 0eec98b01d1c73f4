/** Half a day of one region's price with the official SDK, as CSV. */
import { OpenElectricityClient } from "openelectricity";

const [baseUrl = ""] = process.argv.slice(2);
const client = new OpenElectricityClient({ apiKey: process.env["ENTS_TOKEN"] ?? "", baseUrl: `${baseUrl}/v4` });
const { datatable } = await client.getMarket("NEM", ["price"], {
  interval: "5m",
  dateStart: "2016-01-01T00:00:00",
  dateEnd: "2016-01-01T12:00:00",
  primaryGrouping: "network_region",
});
const rows = datatable?.getRows() ?? [];
const lines = rows.map((row) => `${row.interval.toISOString()},${row["region"]},${row["price"]}\n`);
process.stdout.write(`interval,region,price\n${lines.join("")}`);
