import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EntsError } from "../base/errors.ts";
import { type CommandSpec, defineCommand } from "../cli/command.ts";
import { makeFolder, requireExpanded } from "../files/folders.ts";
import { describeSystemError } from "../files/system-error.ts";

const INSTALL = {
  dir: {
    argument: "folder",
    kind: "file",
    help: "a folder of skills; the page goes to ents/SKILL.md in it",
    defaultText: "~/.agents/skills, and ~/.claude/skills if ~/.claude exists",
    schema: "text",
  },
} as const;

/** Writes the page where assistants look for skills; it replaces that of an older version. */
const install = defineCommand({
  options: { Install: INSTALL },
  examples: [
    { command: "ents skill install", does: "for this user's assistants" },
    { command: "ents skill install --dir .agents/skills", does: "for everybody who works in this folder" },
  ],
  run: async ({ options: { dir }, context, report }) => {
    const [{ formatSkill }, { writeWhole }] = await Promise.all([
      import("../cli/skill.ts"),
      import("../files/temporary.ts"),
    ]);
    for (const folder of dir === undefined
      ? listSkillFolders(context.env)
      : [resolve(context.cwd, requireExpanded(dir, "--dir"))]) {
      const path = join(folder, "ents", "SKILL.md");
      try {
        makeFolder(dirname(path));
        await writeWhole(path, formatSkill(context.version), { process: context.process });
      } catch (cause) {
        throw new EntsError("output", `cannot write ${path}: ${describeSystemError(cause)}`, { cause });
      }
      report.done(`written: ${path}`);
    }
  },
});

/** Most assistants read skills from one folder below the home; one has a folder of its own. */
function listSkillFolders({ HOME, USERPROFILE }: Readonly<Record<string, string | undefined>>): string[] {
  const home = HOME || USERPROFILE;
  if (!home || !existsSync(home))
    throw new EntsError("usage", "there is no home directory", { hint: "use --dir with a folder of skills" });
  return [".agents", ".claude"]
    .filter((name) => name === ".agents" || existsSync(join(home, name)))
    .map((name) => join(home, name, "skills"));
}

export const skill: CommandSpec = {
  ...defineCommand({
    examples: [
      { command: "ents skill", does: "what an assistant needs to know to write commands, on one page" },
      { command: "ents skill install", does: "put it where assistants look for skills" },
    ],
    run: async ({ context }) => {
      const { formatSkill } = await import("../cli/skill.ts");
      context.stdout.stream.write(formatSkill(context.version));
    },
  }),
  subcommands: [{ name: "install", summary: "put the page where assistants look for skills", ...install }],
};
