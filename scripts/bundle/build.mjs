/** Bundles as set in rolldown.config.mjs. Silent on success, unlike rolldown's own command, which lists every chunk. */
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import config from "../../rolldown.config.mjs";
import { writeHelp } from "./help.mjs";

await build(config);
await writeHelp(fileURLToPath(new URL("../..", import.meta.url)));
