import { join } from "node:path";
import { listFiles } from "../bench/figures.mjs";
import { collectFacts } from "./facts.mjs";
import { formatReference } from "./reference.mjs";
import { drawChart } from "./chart.mjs";

/** The files that `npm run docs` writes, with their texts. `load` imports a module of the source by its name. */
export async function listDocs(load, root) {
  return [
    [join(root, "docs/reference.md"), formatReference(await collectFacts(load, root))],
    [join(root, "docs/chart.svg"), await drawChart(load)],
    ...listFiles(root),
  ];
}
