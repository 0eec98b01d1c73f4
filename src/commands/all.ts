import type { CommandEntry } from "../cli/command.ts";

/** All commands, in the order of help; each is loaded when it is called. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "network",
    summary: "power, energy, emissions and market value of a network",
    load: async () => (await import("./data.ts")).network,
  },
  {
    name: "facilities",
    summary: "power, energy, emissions and market value of facilities, by unit",
    load: async () => (await import("./data.ts")).facilities,
  },
  {
    name: "market",
    summary: "price, demand, curtailment and flows of a network's market",
    load: async () => (await import("./data.ts")).market,
  },
  {
    name: "list",
    summary: "find codes: networks, regions, fueltechs, facilities, units",
    load: async () => (await import("./list.ts")).list,
  },
  {
    name: "update",
    summary: "bring outputs of --update up to date, with one command",
    load: async () => (await import("./update.ts")).update,
  },
  {
    name: "log",
    summary: "list updates, what they changed, and where rows are from",
    load: async () => (await import("./log.ts")).log,
  },
  {
    name: "show",
    summary: "show an updated output in another form, or as it was",
    load: async () => (await import("./show.ts")).show,
  },
  {
    name: "check",
    summary: "find what cannot be right in updated outputs",
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "metrics",
    summary: "list the metrics: unit, meaning and commands",
    load: async () => (await import("./metrics.ts")).metrics,
  },
  { name: "login", summary: "store an API token", load: async () => (await import("./login.ts")).login },
  { name: "logout", summary: "delete the stored token", load: async () => (await import("./logout.ts")).logout },
  {
    name: "whoami",
    summary: "show the token in use and its plan",
    load: async () => (await import("./whoami.ts")).whoami,
  },
  { name: "config", summary: "read and change settings", load: async () => (await import("./config.ts")).config },
  {
    name: "cache",
    summary: "show or delete the responses that --cache stores",
    load: async () => (await import("./cache.ts")).cache,
  },
  {
    name: "sandbox",
    summary: "run a local v4 service with synthetic data",
    load: async () => (await import("./sandbox.ts")).sandbox,
  },
  {
    name: "skill",
    summary: "print a page for assistants that write commands",
    load: async () => (await import("./skill.ts")).skill,
  },
  {
    name: "mcp",
    summary: "serve tools for assistants over standard input and output",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  {
    name: "completion",
    summary: "print the completion script of a shell",
    load: async () => (await import("./completion.ts")).completion,
  },
];
