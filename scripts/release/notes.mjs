/**
 * `node scripts/release/notes.mjs <tag>`: prints what CHANGELOG.md says of the version that a tag such as `v0.1.0`
 * names. Fails unless the tag is the version in package.json, the version has a date and is not said to be unreleased,
 * and CITATION.cff has an address.
 */
import { readFileSync } from "node:fs";

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const [tag = ""] = process.argv.slice(2);
const { version } = JSON.parse(read("package.json"));
const section = read("CHANGELOG.md")
  .split(/^(?=## )/m)
  .find((text) => text.startsWith(`## [${version}]`));

if (tag !== `v${version}`) fail(`the tag is "${tag}", but package.json has version ${version}: tag v${version}`);
else if (section === undefined) fail(`CHANGELOG.md has no section for ${version}`);
else if (!/^## \S+ - \d{4}-\d\d-\d\d$/m.test(section))
  fail(`CHANGELOG.md has no date for ${version}: write ## [${version}] - 2026-01-31`);
else if (section.includes("Not released yet."))
  fail(`CHANGELOG.md says that ${version} is not released yet: delete that line, and set the date`);
else if (!/^repository-code: "?https:/m.test(read("CITATION.cff")))
  fail("CITATION.cff has no address: add repository-code: https://github.com/<owner>/<repository>");
else process.stdout.write(`${section.replace(/^## .*\n+/, "").trimEnd()}\n`);

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
