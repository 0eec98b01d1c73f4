/** A process that is killed when it is about to rename a file: the one with the number in DIE_AT, from 0. */
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { rename } = promises;
let left = Number(process.env.DIE_AT);
promises.rename = async (...paths) => {
  if (left-- === 0) process.kill(process.pid, "SIGKILL");
  return rename(...paths);
};
syncBuiltinESMExports();
