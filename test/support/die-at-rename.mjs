/** Kills the process before the rename whose number is DIE_AT; the first is 0. */
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { rename } = promises;
let left = Number(process.env.DIE_AT);
promises.rename = async (...paths) => {
  if (left-- === 0) process.kill(process.pid, "SIGKILL");
  return rename(...paths);
};
syncBuiltinESMExports();
