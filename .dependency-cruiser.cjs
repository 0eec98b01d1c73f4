const { devDependencies } = require("./package.json");

/*
 * Imports go down only. The floors, from the ground up; each is the folder `src/<name>/`. A circle is an error
 * everywhere.
 *
 * TypeScript 7 has no compiler API for dependency-cruiser, so @swc/core reads the files: it sees every form of import
 * but `import("…")` inside a type, which the linter forbids (consistent-type-imports). test/structure.test.ts counts
 * that no import gets lost.
 */
const FLOORS = [
  "base",
  "time",
  "files",
  "options",
  "facilities",
  "query",
  "plan",
  "series",
  "checks",
  "decode",
  "format",
  "settings",
  "source",
  "store",
  "facility-list",
  "export",
  "follow",
  "cli",
  "mcp",
  "commands",
  "main",
];
/** A v4 service of its own, which knows the words of v4 and the time, and nothing of ents. */
const SANDBOX = "sandbox";
/**
 * The library's face: nobody imports it, and it imports anything below the command line, and this process as a context.
 */
const FACE = "index";
/** No I/O and no clock. */
const PURE = ["base", "time", "options", "facilities", "query", "plan", "series", "checks"];

/** Types of what is outside: streams, the dispatcher. */
const CONTEXT = "^src/base/context[.]ts$";

/** The only places that may import a package. */
const HOMES = {
  luxon: ["time"],
  conf: ["settings"],
  commander: ["cli"],
  "cli-table3": ["format"],
  "csv-stringify": ["format"],
  undici: ["source", "base"],
  minisearch: ["facilities"],
};

/** Matches the modules of these names, and nothing whose name merely begins so. */
const modules = (names) => `^src/(${names.join("|")})(/|[.]ts$)`;
const packages = (names) => `(^|node_modules/)(${names.join("|")})(/|$)`;
const HOUSE = modules([...FLOORS, SANDBOX, FACE]);

const upward = FLOORS.map((name, floor) => ({
  name: `down-only-from-${name}`,
  comment: `${name} may not import from a floor above`,
  severity: "error",
  from: { path: modules([name]) },
  to: { path: modules([...FLOORS.slice(floor + 1), FACE]) },
}));

const homes = Object.entries(HOMES).map(([name, places]) => ({
  name: `home-of-${name}`,
  comment: `${name} is imported only by ${places.join(", ")}`,
  severity: "error",
  from: { path: "^src/", pathNot: modules(places) },
  to: { path: packages([name]) },
}));

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    ...upward,
    {
      name: "sandbox-apart",
      comment: "the sandbox imports base and time only",
      severity: "error",
      from: { path: modules([SANDBOX]) },
      to: { path: modules([...FLOORS.filter((name) => name !== "base" && name !== "time"), FACE]) },
    },
    ...homes,
    {
      name: "face-below-cli",
      comment: "the library does not depend on the command line",
      severity: "error",
      from: { path: modules([FACE]) },
      to: { path: modules(["cli", "commands", "main"]), pathNot: "^src/main/process-context[.]ts$" },
    },
    {
      name: "has-a-floor",
      comment: "name the module in FLOORS",
      severity: "error",
      from: { path: "^src/", pathNot: HOUSE },
      to: {},
    },
    {
      name: "reaches-a-floor",
      comment: "name the module in FLOORS",
      severity: "error",
      from: {},
      to: { path: "^src/", pathNot: HOUSE },
    },
    {
      name: "pure",
      comment: "no I/O and no clock: node's util, path, url, buffer and crypto are the only built-ins",
      severity: "error",
      from: { path: modules(PURE), pathNot: CONTEXT },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(util|path|path/posix|url|buffer|crypto)$" },
    },
    {
      name: "pure-packages",
      comment: "the pure floors compute: words, times, schemas and numbers",
      severity: "error",
      from: { path: modules(PURE), pathNot: CONTEXT },
      to: {
        path: "node_modules/",
        pathNot: packages(["luxon", "zod", "lossless-json", "fastest-levenshtein", "minisearch"]),
      },
    },
    {
      name: "src-stands-alone",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|scripts|dist|bin)/" },
    },
    {
      name: "declared-dependencies",
      comment: "what src imports is in package.json",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-peer", "npm-optional"] },
    },
    {
      name: "library-dependencies",
      comment:
        "what the library imports is installed with it; what only the command imports is in its bundle, a devDependency",
      severity: "error",
      from: { path: modules([FACE]) },
      to: { path: packages(Object.keys(devDependencies)), reachable: true },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
