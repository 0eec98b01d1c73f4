/**
 * `node scripts/release/manifests.mjs <owner>/<repository>`: from `executable/SHA256SUMS` of a release, a formula for
 * Homebrew and manifests for scoop and winget, in `executable/manifests`.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = process.env.ENTS_EXECUTABLES ?? fileURLToPath(new URL("../../executable", import.meta.url));
const { version, description, license } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);
const [repository = ""] = process.argv.slice(2);
const home = `https://github.com/${repository}`;
const [owner = ""] = repository.split("/");
const summary = description.split(/[:.]/)[0];

const sums = new Map(
  readFileSync(`${FOLDER}/SHA256SUMS`, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(/ +/).toReversed()),
);

/** The archive of a platform, where a release has it. */
function find(platform, ending) {
  const name = `ents-${version}-${platform}.${ending}`;
  const hash = sums.get(name);
  if (hash === undefined) throw new Error(`SHA256SUMS has no ${name}`);
  return { url: `${home}/releases/download/v${version}/${name}`, hash };
}

function formatFormula() {
  const on = (system, cpu, platform) => {
    const { url, hash } = find(platform, "tar.xz");
    return `  on_${system} do\n    on_${cpu} do\n      url "${url}"\n      sha256 "${hash}"\n    end\n  end\n`;
  };
  return `class Ents < Formula
  desc "${summary}"
  homepage "${home}"
  version "${version}"
  license "${license}"

${on("macos", "arm", "darwin-arm64")}${on("macos", "intel", "darwin-x64")}${on("linux", "arm", "linux-arm64")}${on("linux", "intel", "linux-x64")}
  def install
    bin.install "ents"
    man1.install "ents.1"
    generate_completions_from_executable(bin/"ents", "completion")
  end

  test do
    assert_match "price", shell_output("#{bin}/ents market NEM -m price --last 1h --sandbox -q -f csv")
  end
end
`;
}

function formatScoop() {
  const { url, hash } = find("win32-x64", "zip");
  const architecture = { "64bit": { url, hash, extract_dir: `ents-${version}-win32-x64` } };
  return `${JSON.stringify({ version, description: summary, homepage: home, license, architecture, bin: "ents.exe" }, undefined, 4)}\n`;
}

/** The three files of a package in winget's repository. */
function formatWinget() {
  const { url, hash } = find("win32-x64", "zip");
  const identifier = `${owner}.ents`;
  const write = (type, lines) => {
    const head = [`PackageIdentifier: ${identifier}`, `PackageVersion: ${version}`];
    return `${[...head, ...lines, `ManifestType: ${type}`, "ManifestVersion: 1.10.0"].join("\n")}\n`;
  };
  return {
    [`${identifier}.yaml`]: write("version", ["DefaultLocale: en-US"]),
    [`${identifier}.installer.yaml`]: write("installer", [
      "InstallerType: zip",
      "NestedInstallerType: portable",
      "NestedInstallerFiles:",
      `- RelativeFilePath: ents-${version}-win32-x64\\ents.exe`,
      "  PortableCommandAlias: ents",
      "Installers:",
      "- Architecture: x64",
      `  InstallerUrl: ${url}`,
      `  InstallerSha256: ${hash.toUpperCase()}`,
    ]),
    [`${identifier}.locale.en-US.yaml`]: write("defaultLocale", [
      "PackageLocale: en-US",
      `Publisher: ${owner}`,
      "PackageName: ents",
      `License: ${license}`,
      `ShortDescription: ${summary}`,
      `PackageUrl: ${home}`,
    ]),
  };
}

mkdirSync(`${FOLDER}/manifests`, { recursive: true });
for (const [name, text] of Object.entries({
  "ents.rb": formatFormula(),
  "ents.json": formatScoop(),
  ...formatWinget(),
})) {
  writeFileSync(`${FOLDER}/manifests/${name}`, text);
}
