/**
 * Creates response bodies: price and demand of the NEM by region, at intervals of 5 minutes. The numbers are always the
 * same.
 */

const MINUTE = 60_000;
export const BUCKET = 5 * MINUTE;
const NETWORK_OFFSET = 600 * MINUTE;
const REGIONS = ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"];
/** @type {Readonly<Record<string, string>>} */
const UNITS = { price: "$/MWh", demand: "MW" };

/** Length of a window without an end, in milliseconds: a day more than an update fetches again. */
const NEWEST = 8 * 24 * 60 * MINUTE;

/**
 * The JSON response to a query. `date_end` is exclusive, as in the public service.
 * @param {URLSearchParams} query
 */
export function createBody(query) {
  const start = Date.parse(`${query.get("date_start")}Z`);
  const end = query.has("date_end") ? Date.parse(`${query.get("date_end")}Z`) : start + NEWEST;
  const timestamps = listTimestamps(start, end);
  const ends = `"date_start":${timestamps[0]},"date_end":${timestamps.at(-1)}`;
  const regions = query.has("network_region") ? query.getAll("network_region") : REGIONS;
  const items = query.getAll("metrics").map((metric) => {
    const results = regions.map((region) => {
      const data = createPoints(timestamps, start, `${metric}_${region}`);
      return `{"name":"${metric}_${region}",${ends},"columns":{"region":"${region}"},"data":[${data}]}`;
    });
    const head = `"network_code":"NEM","metric":"${metric}","unit":"${UNITS[metric]}","interval":"5m"`;
    return `{${head},${ends},"groupings":["network_region"],"results":[${results}],"network_timezone_offset":"+10:00"}`;
  });
  const envelope = `"version":"4.5.1","created_at":"2026-01-01T00:00:00+10:00","success":true,"error":null`;
  return `{${envelope},"data":[${items}],"total_records":null}`;
}

/** @param {number} start @param {number} end */
function listTimestamps(start, end) {
  const count = Math.max(0, Math.ceil((end - start) / BUCKET));
  return Array.from({ length: count }, (_, index) => `"${formatTimestamp(start + index * BUCKET)}"`);
}

/** @param {number} local milliseconds of the network's wall clock */
function formatTimestamp(local) {
  return `${new Date(local).toISOString().slice(0, 19)}+${String(NETWORK_OFFSET / (60 * MINUTE)).padStart(2, "0")}:00`;
}

/**
 * A daily swing with noise, to five decimals; one value in a thousand is null. An interval has the same value in every
 * window. Numbers are written as JavaScript prints them, so that a program that parses and prints them writes the same
 * text.
 * @param {readonly string[]} timestamps @param {number} start @param {string} name
 */
function createPoints(timestamps, start, name) {
  const seed = Array.from(name).reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 1);
  const level = name.startsWith("price") ? 80 : 6000;
  return timestamps.map((timestamp, at) => {
    const interval = start / BUCKET + at;
    const random = createRandom(Math.imul(seed, interval | 1) ^ interval);
    if (random() < 0.001) return `[${timestamp},null]`;
    const swing = Math.sin((interval / 288) * 2 * Math.PI);
    const value = level * (1 + 0.4 * swing + 0.9 * (random() - 0.5));
    return `[${timestamp},${Math.round(value * 100_000) / 100_000}]`;
  });
}

/** Random numbers from 0 to 1 by George Marsaglia's xorshift32. Skips the first two, which resemble the seed. @param {number} seed */
function createRandom(seed) {
  let state = seed | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  next();
  next();
  return next;
}
