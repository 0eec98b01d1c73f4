/** The environment in which child processes report coverage; empty except in `npm run coverage`. */
const folder = process.env["ENTS_TEST_COVERAGE"];

export const COVERAGE_ENV: Readonly<Record<string, string>> = folder ? { NODE_V8_COVERAGE: folder } : {};
