import { bash } from "./shells/bash.ts";
import { fish } from "./shells/fish.ts";
import { powershell } from "./shells/powershell.ts";
import type { Shell } from "./candidate.ts";
import { zsh } from "./shells/zsh.ts";

export const SHELLS = { bash, zsh, fish, powershell } as const satisfies Record<string, Shell>;
