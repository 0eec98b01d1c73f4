/** Bundles as set in rolldown.config.mjs. Silent on success, unlike rolldown's own command, which lists every chunk. */
import { build } from "rolldown";
import config from "../../rolldown.config.mjs";

await build(config);
