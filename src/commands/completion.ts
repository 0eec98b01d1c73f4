import { type CommandSpec, defineCommand } from "../cli/command.ts";
import { SHELLS } from "../cli/completion/shells.ts";

export const completion: CommandSpec = {
  notes: {
    Completion: [
      "TAB completes commands, flags and their values: metrics, intervals, regions,",
      "fueltechs, formats, files and so on. Codes of facilities and units come from",
      "the list that 'ents list facilities' keeps: TAB makes no request.",
    ],
  },
  examples: Object.values(SHELLS).flatMap(({ install }) => install),
  subcommands: Object.entries(SHELLS).map(([name, { script, install }]) => ({
    name,
    summary: `print the script for ${name === "powershell" ? "PowerShell" : name}`,
    ...defineCommand({
      examples: install,
      run: async ({ context }) => {
        context.stdout.stream.write(script);
      },
    }),
  })),
};
