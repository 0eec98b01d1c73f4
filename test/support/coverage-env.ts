/** The environment in which child processes report what they ran; nothing unless `npm run coverage` asks for it. */
const folder = process.env["ENTS_TEST_COVERAGE"];

export const COVERAGE_ENV: Readonly<Record<string, string>> = folder ? { NODE_V8_COVERAGE: folder } : {};
