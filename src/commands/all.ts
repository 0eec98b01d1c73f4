import type { CommandSpec } from "../cli/command.ts";
import { config } from "./config.ts";
import { facilities } from "./facilities.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { market } from "./market.ts";
import { metrics } from "./metrics.ts";
import { network } from "./network.ts";
import { sandbox } from "./sandbox.ts";
import { whoami } from "./whoami.ts";

/** Every command, in the order of help. */
export const COMMANDS: readonly CommandSpec[] = [network, facilities, market, metrics, login, logout, whoami, config, sandbox];
