import type { CommandEntry } from "../cli/command.ts";

/** Every command, in the order of help; what one needs is loaded when it is called. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "network",
    summary: "power, energy, emissions and market value of a network",
    load: async () => (await import("./network.ts")).network,
  },
  {
    name: "facilities",
    summary: "power, energy, emissions and market value of facilities, by unit",
    load: async () => (await import("./facilities.ts")).facilities,
  },
  {
    name: "market",
    summary: "price, demand, curtailment and flows of a network's market",
    load: async () => (await import("./market.ts")).market,
  },
  {
    name: "metrics",
    summary: "list the metrics: unit, meaning, and which command offers them",
    load: async () => (await import("./metrics.ts")).metrics,
  },
  {
    name: "login",
    summary: "store the token of a service",
    load: async () => (await import("./login.ts")).login,
  },
  {
    name: "logout",
    summary: "forget the stored token of a service",
    load: async () => (await import("./logout.ts")).logout,
  },
  {
    name: "whoami",
    summary: "show which token is used, and what the service says of it",
    load: async () => (await import("./whoami.ts")).whoami,
  },
  {
    name: "config",
    summary: "settings that are kept between runs",
    load: async () => (await import("./config.ts")).config,
  },
  {
    name: "sandbox",
    summary: "serve a local v4 service with synthetic data",
    load: async () => (await import("./sandbox.ts")).sandbox,
  },
];
