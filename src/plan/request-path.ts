/** The path of a request, and what it tells: the query of a batch of codes, and a window. */
import { type CommandName } from "../base/vocabulary.ts";
import type { Query } from "../query/query.ts";
import type { Window } from "../query/window.ts";
import { formatLocalTime, type LocalTime } from "../time/local-time.ts";

/** v4.md, Endpoints. */
const PATHS = {
  network: "/v4/data/network/",
  facilities: "/v4/data/facilities/",
  market: "/v4/market/network/",
} as const satisfies Record<CommandName, string>;

/** A parameter of several values is repeated (v4.md, Rules). */
export function formatPath({ command, network, parameters }: Pick<Query, "command" | "network" | "parameters">): string {
  const search = new URLSearchParams();
  for (const { name, values } of parameters) for (const value of values) search.append(name, value);
  return `${PATHS[command]}${encodeURIComponent(network)}?${search}`;
}

const START = "date_start";
const END = "date_end";

export function readWindow(path: string): Window {
  const search = searchOf(path);
  const read = (name: string) => (search.has(name) ? Date.parse(`${search.get(name)}Z`) : undefined);
  return { start: read(START), end: read(END) };
}

/** The path without its window: what is asked, of which codes. */
export function removeWindow(path: string): string {
  return path.replace(WINDOW, "").replace(/[?&]$/, "");
}

const WINDOW = new RegExp(`(?<=[?&])(?:${START}|${END})=[^&]*(?:&|$)`, "g");

/** The path with another window, of which both ends are known. */
export function replaceWindow(path: string, { start, end }: { readonly start: LocalTime; readonly end: LocalTime }): string {
  const search = searchOf(path);
  search.set(START, formatLocalTime(start));
  search.set(END, formatLocalTime(end));
  return `${path.slice(0, path.indexOf("?"))}?${search}`;
}

function searchOf(path: string): URLSearchParams {
  return new URLSearchParams(path.slice(path.indexOf("?")));
}
