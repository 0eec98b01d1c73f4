/** The work to measure: windows of one query, split into requests of 80 days, 230,400 points each. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUCKET } from "./bodies.mjs";

export const WINDOW_DAYS = 80;
const WINDOW = WINDOW_DAYS * 86_400_000;
/**
 * At a split of ents, which counts from 1970, so that all ways send the same requests. The longest work ends before
 * today.
 */
const START = Math.ceil(Date.UTC(2008, 0, 1) / WINDOW) * WINDOW;
const SERIES = 10;

/**
 * @typedef {object} Work
 * @property {string} baseUrl
 * @property {number} responses
 * @property {number} points
 * @property {string} urlFile   file with one URL per line
 * @property {string} curlFile  the same as curl's configuration
 * @property {string[]} args    arguments of `ents` for the same data
 */

/** @param {number} responses @param {{ baseUrl: string, folder: string }} setting @returns {Promise<Work>} */
export async function createWork(responses, { baseUrl, folder }) {
  const urls = Array.from({ length: responses }, (_, index) =>
    formatUrl(baseUrl, START + index * WINDOW, START + (index + 1) * WINDOW),
  );
  const urlFile = join(folder, `${responses}.urls`);
  const curlFile = join(folder, `${responses}.curl`);
  writeFileSync(urlFile, urls.join("\n"));
  writeFileSync(curlFile, urls.map((url) => `url = "${url}"\n`).join(""));
  // Creates the bodies beforehand, so that no contestant waits for one; two at a time, one per core.
  for (let index = 0; index < urls.length; index += 2) await Promise.all(urls.slice(index, index + 2).map(askOnce));
  const args = [
    ...formatArgs(baseUrl, START, START + responses * WINDOW),
    "--max-window",
    `${WINDOW_DAYS}d`,
    "--rate",
    "1000000",
  ];
  return { baseUrl, responses, points: (responses * SERIES * WINDOW) / BUCKET, urlFile, curlFile, args };
}

/**
 * Arguments of `ents` for `intervals * 5` rows of price and demand, from five regions; in one response or several.
 * @param {string} baseUrl @param {number} intervals
 */
export function askIntervals(baseUrl, intervals, maxWindow = "none") {
  return [...formatArgs(baseUrl, START, START + intervals * BUCKET), "--max-window", maxWindow, "--rate", "1000000"];
}

/** The window of `askIntervals`. @param {number} intervals @returns {[start: string, end: string]} */
export function windowOfIntervals(intervals) {
  return [formatLocal(START), formatLocal(START + intervals * BUCKET)];
}

/** Arguments of `ents` for half a day of one region's price. @param {string} baseUrl */
export function askLittle(baseUrl) {
  const window = ["-s", "2016-01-01T00:00", "-e", "2016-01-01T12:00"];
  return ["market", "NEM", "-m", "price", "-i", "5m", ...window, "-r", "SA1", "-f", "csv", "--base-url", baseUrl];
}

/** @param {string} baseUrl @param {number} start @param {number} [end] */
function formatArgs(baseUrl, start, end) {
  const window = ["-s", formatLocal(start), ...(end === undefined ? [] : ["-e", formatLocal(end)])];
  return [
    "market",
    "NEM",
    "-m",
    "price",
    "demand",
    "-i",
    "5m",
    ...window,
    "--primary-grouping",
    "network_region",
    "--base-url",
    baseUrl,
  ];
}

/** The URL that ents requests for the same data. @param {string} baseUrl @param {number} start @param {number} end */
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
