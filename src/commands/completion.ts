import { type CommandSpec, defineCommand } from "../cli/command.ts";
import { SHELLS } from "../cli/completion/shells.ts";

const TITLES = { bash: "bash", zsh: "zsh", fish: "fish", powershell: "PowerShell" } as const satisfies Record<keyof typeof SHELLS, string>;

function printScript(name: keyof typeof SHELLS): CommandSpec {
  const { script, install } = SHELLS[name];
  return defineCommand({
    examples: install,
    run: async ({ context }) => {
      context.stdout.stream.write(script);
    },
  });
}

export const completion: CommandSpec = {
  notes: {
    Completion: [
      "TAB completes commands, flags and their values: metrics, intervals, regions,",
      "fueltechs, formats, files and so on. Codes of facilities and units come from",
      "the list that 'ents list facilities' keeps: TAB makes no request.",
    ],
  },
  examples: Object.values(SHELLS).flatMap(({ install }) => install),
  subcommands: Object.entries(TITLES).map(([name, title]) => ({
    name,
    summary: `print the script for ${title}`,
    ...printScript(name as keyof typeof SHELLS),
  })),
};
