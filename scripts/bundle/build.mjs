/** Bundles by rolldown.config.mjs, and says nothing where all is well: rolldown's own command lists every chunk. */
import { build } from "rolldown";
import config from "../../rolldown.config.mjs";

await build(config);
