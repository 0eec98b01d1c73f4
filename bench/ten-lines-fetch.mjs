/** Half a day of one region's price with Node's own fetch, as CSV. */
const [baseUrl = ""] = process.argv.slice(2);
const query = "metrics=price&interval=5m&date_start=2016-01-01T00:00:00&date_end=2016-01-01T12:00:00";
const url = `${baseUrl}/v4/market/network/NEM?${query}&primary_grouping=network_region`;
const response = await fetch(url, { headers: { authorization: `Bearer ${process.env["ENTS_TOKEN"]}` } });
/** @type {{ data: { results: { columns: { region: string }, data: [string, number][] }[] }[] }} */
const { data } = await response.json();
const lines = data.flatMap(({ results }) =>
  results.flatMap(({ columns, data: points }) => points.map(([at, value]) => `${at},${columns.region},${value}\n`)),
);
process.stdout.write(`timestamp,region,price\n${lines.join("")}`);
