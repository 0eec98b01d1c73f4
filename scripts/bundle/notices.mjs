/** Collects the notices of the packages that are in the bundle, as their licences require. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const RULE = "-".repeat(80);

/** A plugin that writes the notices to `fileName`. Fails the build for a package without a licence text. @param {string} fileName */
export function notices(fileName) {
  return {
    name: "notices",
    /** @this {import("rolldown").PluginContext} @param {unknown} _options @param {import("rolldown").OutputBundle} bundle */
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
      const packages = new Set(modules.filter((id) => id.includes("node_modules")).map(findPackage));
      this.emitFile({ type: "asset", fileName, source: formatNotices([...packages]) });
    },
  };
}

/** The folder of a module's package: the nearest one whose package.json has a name and a version. @param {string} module */
function findPackage(module) {
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    if (!existsSync(join(folder, "package.json"))) continue;
    const { name, version } = readManifest(folder);
    if (name !== undefined && version !== undefined) return folder;
  }
}

/** @param {string[]} folders */
function formatNotices(folders) {
  const texts = folders.map(formatNotice).toSorted();
  return ["dist/command holds code of these packages.\n", ...texts].join(`\n${RULE}\n\n`);
}

/** @param {string} folder */
function formatNotice(folder) {
  const { name, version, license } = readManifest(folder);
  const papers = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  if (license === undefined || papers.length === 0)
    throw new Error(`${name} is in the bundle, and ${folder} has no licence or no text of it`);
  const texts = papers.map((paper) => `${readFileSync(join(folder, paper), "utf8").trim()}\n`);
  return [`${name} ${version}\nLicence: ${license}\n`, ...texts].join("\n");
}

/** @param {string} folder @returns {{ name?: string, version?: string, license?: string }} */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
