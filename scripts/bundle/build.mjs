/** Bundles by rolldown.config.mjs, and says nothing where all is well: rolldown's own command lists every chunk. */
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import config from "../../rolldown.config.mjs";
import { writeHelp } from "./help.mjs";

await build(config);
await writeHelp(fileURLToPath(new URL("../..", import.meta.url)));
