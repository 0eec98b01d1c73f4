import { join } from "node:path";
import { listFiles } from "../bench/figures.mjs";
import { collectFacts } from "./facts.mjs";
import { formatManPage } from "./man.mjs";
import { formatReference } from "./reference.mjs";
import { capture } from "./capture.mjs";

/** The chart of the README. */
const CHART = "network NEM -m power -i 1h -s 2025-01-29 -e 2025-01-31 -g fueltech -f svg --sandbox -q";

/** The files that `npm run docs` writes: path and text. `load` imports a module of the source by its name. */
export async function listDocs(load, root) {
  const facts = await collectFacts(load, root);
  return [
    [join(root, "docs/reference.md"), formatReference(facts)],
    [join(root, "docs/ents.1"), formatManPage(facts)],
    [join(root, "docs/skill.md"), await capture((await load("main/main")).main, ["skill"], facts.version)],
    [join(root, "docs/chart.svg"), await capture((await load("main/main")).main, CHART.split(" "))],
    ...listFiles(root),
  ];
}
