/**
 * Draws the pictures of test/pictures/list.txt to look at them: `npm run pictures -- <folder>`. The folder gets svg and
 * png of two sizes, html, and what terminals of four sizes show, with index.html.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SIZES = ["480x300", "960x540"];
const TERMINALS = ["40x20", "80x24", "120x40", "200x60"];

/** The same characters on any machine. */
const ENV = { ...process.env, LC_ALL: "C.UTF-8" };

const [folder, only = ""] = process.argv.slice(2);
if (folder === undefined) throw new Error("name a folder to write to: npm run pictures -- <folder> [<part of a name>]");
mkdirSync(folder, { recursive: true });

const parts = readFileSync(join(ROOT, "test/pictures/list.txt"), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(": "))
  .filter(([name = ""]) => name.includes(only))
  .map(([name = "", query = ""]) => drawAll(folder, name, query.split(" ")));
writeFileSync(join(folder, "index.html"), `<meta charset="utf-8"><title>Pictures</title>\n${parts.join("\n")}`);

/** @param {string} to @param {string} name @param {string[]} query @returns {string} Its part of the index. */
function drawAll(to, name, query) {
  /** @param {string[]} args */
  const draw = (...args) =>
    execFileSync(join(ROOT, "bin/ents"), [...query, "--sandbox", "-q", ...args], { encoding: "utf8", env: ENV });
  const svgs = SIZES.map((size) => {
    const [width = "", height = ""] = size.split("x");
    const file = `${name}.${size}.svg`;
    draw("-o", join(to, file), "--width", width, "--height", height);
    return `<img src="${file}" alt="${name}, ${size}">`;
  });
  draw("-o", join(to, `${name}.png`));
  draw("-o", join(to, `${name}.html`));
  for (const size of TERMINALS) {
    const [width = "", height = ""] = size.split("x");
    writeFileSync(
      join(to, `${name}.${size}.txt`),
      draw("-f", "chart", "--width", width, "--height", String(Number(height) - 3)),
    );
  }
  const texts = TERMINALS.map((size) => `<a href="${name}.${size}.txt">${size}</a>`);
  return `<h2>${name}</h2><p><a href="${name}.html">html</a> <a href="${name}.png">png</a> ${texts.join(" ")}</p>${svgs.join("")}`;
}
