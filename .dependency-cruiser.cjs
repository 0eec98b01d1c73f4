/*
 * Imports go down only. The floors, from the ground up; a name is `src/<name>.ts` or the folder `src/<name>/`.
 * Neighbours on one floor may import each other, rooms may not; a circle is an error everywhere.
 *
 * TypeScript 7 has no compiler API for dependency-cruiser, so @swc/core reads the files: it sees every form of import but
 * `import("…")` inside a type, which the linter forbids (consistent-type-imports). test/structure.test.ts counts that no
 * import gets lost.
 */
const ROOMS = ["client", "format", "sink", "sandbox", "credentials", "resume"];
const PURE = ["plan", "series", "rows", "retry"];
const FLOORS = [
  ["vocabulary", "errors", "context", "suggest", "terminal", "report", "loopback", "numbers"],
  ["time", "durations", "when", "zones"],
  ["options", "query"],
  PURE,
  ROOMS,
  ["fetch", "service", "process-context", "version"],
  ["export"],
  ["cli", "commands"],
  ["main"],
];
/** The library's face: nobody imports it, and it imports anything below the command line. */
const FACE = "index";
const CLEAN = [
  ...FLOORS.slice(0, 3)
    .flat()
    .filter((name) => name !== "context"),
  ...PURE,
];

/** The only places that may import a package. */
const HOMES = {
  luxon: ["durations", "when", "zones", "options", "query"],
  conf: ["credentials"],
  commander: ["cli", "commands"],
  "cli-table3": ["format"],
  "csv-stringify": ["format"],
  undici: ["client", "context", "main"],
};

/** Matches the modules of these names, and nothing whose name merely begins so. */
const modules = (names) => `^src/(${names.join("|")})(/|[.]ts$)`;
const packages = (names) => `(^|node_modules/)(${names.join("|")})(/|$)`;
const HOUSE = modules([...FLOORS.flat(), FACE]);
const above = (floor) => [...FLOORS.slice(floor + 1).flat(), FACE];

const upward = FLOORS.map((names, floor) => ({
  name: `down-only-from-${names[0]}`,
  comment: `${names.join(", ")} may not import from a floor above`,
  severity: "error",
  from: { path: modules(names) },
  to: { path: modules(above(floor)) },
}));

const walls = ROOMS.map((room) => ({
  name: `room-${room}`,
  comment: "rooms of one floor do not import each other",
  severity: "error",
  from: { path: modules([room]) },
  to: { path: modules(ROOMS.filter((other) => other !== room)) },
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
    ...walls,
    ...homes,
    {
      name: "face-below-cli",
      comment: "the library does not depend on the command line",
      severity: "error",
      from: { path: modules([FACE]) },
      to: { path: modules(["cli", "commands", "main"]) },
    },
    { name: "has-a-floor", comment: "name the module in FLOORS", severity: "error", from: { path: "^src/", pathNot: HOUSE }, to: {} },
    { name: "reaches-a-floor", comment: "name the module in FLOORS", severity: "error", from: {}, to: { path: "^src/", pathNot: HOUSE } },
    {
      name: "pure",
      comment: "no I/O and no clock: node's util, path, url, buffer and crypto are the only built-ins",
      severity: "error",
      from: { path: modules(CLEAN) },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(util|path|path/posix|url|buffer|crypto)$" },
    },
    {
      name: "pure-packages",
      comment: "the pure floors compute: words, times, schemas and numbers",
      severity: "error",
      from: { path: modules(CLEAN) },
      to: { path: "node_modules/", pathNot: packages(["luxon", "zod", "lossless-json", "fastest-levenshtein"]) },
    },
    { name: "src-stands-alone", severity: "error", from: { path: "^src/" }, to: { path: "^(test|bench|scripts|dist|bin)/" } },
    {
      name: "declared-dependencies",
      comment: "what src imports is a runtime dependency in package.json",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "npm-peer", "npm-optional"] },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
