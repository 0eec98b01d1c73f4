import { sep } from "node:path";

export const IS_WINDOWS = sep === "\\";
