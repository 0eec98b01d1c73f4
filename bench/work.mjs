/** What there is to do: windows of one query, split into requests of 80 days, 230,400 points each. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUCKET } from "./bodies.mjs";

const WINDOW_DAYS = 80;
const WINDOW = WINDOW_DAYS * 86_400_000;
/** Where ents splits, as it counts from 1970, so that all ways make the same requests. The longest work ends before today. */
const START = Math.ceil(Date.UTC(2008, 0, 1) / WINDOW) * WINDOW;
const SERIES = 10;

/**
 * @typedef {object} Work
 * @property {string} baseUrl
 * @property {number} responses
 * @property {number} points
 * @property {string} urlFile   file with one address a line
 * @property {string} curlFile  the same as curl's configuration
 * @property {string[]} args    arguments of `ents` that ask for the same
 */

/** @param {number} responses @param {{ baseUrl: string, folder: string }} setting @returns {Promise<Work>} */
export async function createWork(responses, { baseUrl, folder }) {
  const urls = Array.from({ length: responses }, (_, index) => formatUrl(baseUrl, START + index * WINDOW, START + (index + 1) * WINDOW));
  const urlFile = join(folder, `${responses}.urls`);
  const curlFile = join(folder, `${responses}.curl`);
  writeFileSync(urlFile, urls.join("\n"));
  writeFileSync(curlFile, urls.map((url) => `url = "${url}"\n`).join(""));
  // Made beforehand: nobody is to wait for a body. Two at a time, as there are cores.
  for (let index = 0; index < urls.length; index += 2) await Promise.all(urls.slice(index, index + 2).map(askOnce));
  const args = [...formatArgs(baseUrl, START, START + responses * WINDOW), "--max-window", `${WINDOW_DAYS}d`, "--rate", "1000000"];
  return { baseUrl, responses, points: (responses * SERIES * WINDOW) / BUCKET, urlFile, curlFile, args };
}

/**
 * So many buckets for five regions: `buckets * 5` rows of price and demand; in one answer, or in several.
 * @param {string} baseUrl @param {number} buckets
 */
export function askBuckets(baseUrl, buckets, maxWindow = "none") {
  return [...formatArgs(baseUrl, START, START + buckets * BUCKET), "--max-window", maxWindow, "--rate", "1000000"];
}

/** Their window. @param {number} buckets @returns {[start: string, end: string]} */
export function windowOfBuckets(buckets) {
  return [formatLocal(START), formatLocal(START + buckets * BUCKET)];
}

/** Half a day of one region's price. @param {string} baseUrl */
export function askLittle(baseUrl) {
  const window = ["-s", "2016-01-01T00:00", "-e", "2016-01-01T12:00"];
  return ["market", "NEM", "-m", "price", "-i", "5m", ...window, "-r", "SA1", "-f", "csv", "--base-url", baseUrl];
}

/** @param {string} baseUrl @param {number} start @param {number} [end] */
function formatArgs(baseUrl, start, end) {
  const window = ["-s", formatLocal(start), ...(end === undefined ? [] : ["-e", formatLocal(end)])];
  return ["market", "NEM", "-m", "price", "demand", "-i", "5m", ...window, "--primary-grouping", "network_region", "--base-url", baseUrl];
}

/** The address that ents makes of the same question. @param {string} baseUrl @param {number} start @param {number} end */
function formatUrl(baseUrl, start, end) {
  const query = new URLSearchParams([
    ["metrics", "price"],
    ["metrics", "demand"],
    ["interval", "5m"],
    ["date_start", formatLocal(start)],
    ["date_end", formatLocal(end)],
    ["primary_grouping", "network_region"],
  ]);
  return `${baseUrl}/v4/market/network/NEM?${query}`;
}

/** @param {number} local milliseconds of the network's wall clock */
function formatLocal(local) {
  return new Date(local).toISOString().slice(0, 19);
}

/** @param {string} url */
async function askOnce(url) {
  const response = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  await response.arrayBuffer();
}
