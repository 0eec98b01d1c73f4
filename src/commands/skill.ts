import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Context } from "../base/context.ts";
import { attempt, EntsError } from "../base/errors.ts";
import { type CommandSpec, defineCommand } from "../cli/command.ts";
import { makeFolder, requireExpanded } from "../files/folders.ts";
import { describeSystemError } from "../files/system-error.ts";

const INSTALL = {
  dir: {
    argument: "folder",
    kind: "file",
    help: "a folder of skills; the page goes to ents/SKILL.md in it",
    defaultText: "~/.agents/skills, and ~/.claude/skills (or in CLAUDE_CONFIG_DIR) if it exists",
    schema: "text",
  },
} as const;

/** Writes the page where assistants look for skills, in place of that of another version, but of no other page. */
const install = defineCommand({
  options: { Install: INSTALL },
  examples: [
    { command: "ents skill install", does: "for this user's assistants" },
    { command: "ents skill install --dir .agents/skills", does: "for everybody who works in this folder" },
  ],
  run: async ({ options: { dir }, context, report }) => {
    const [{ formatSkill, isOwnSkill }, { writeWhole }] = await Promise.all([
      import("../cli/skill.ts"),
      import("../files/temporary.ts"),
    ]);
    const kept: string[] = [];
    for (const folder of dir === undefined
      ? listSkillFolders(context.env)
      : [resolve(context.cwd, requireExpanded(dir, "--dir"))]) {
      const path = join(folder, "ents", "SKILL.md");
      const old = attempt(() => readFileSync(path, "utf8"));
      if (old !== undefined && !isOwnSkill(old)) {
        kept.push(path);
        continue;
      }
      try {
        makeFolder(dirname(path));
        await writeWhole(path, formatSkill(context.version), { process: context.process });
      } catch (cause) {
        throw new EntsError("output", `cannot write ${path}: ${describeSystemError(cause)}`, { cause });
      }
      report.done(`written: ${path}`);
    }
    if (kept.length > 0)
      throw new EntsError("output", `kept ${kept.join(" and ")}: not as ents wrote it`, {
        hint: "to replace it, delete it first",
      });
  },
});

/** Most assistants read skills from one folder below the home; one has a folder of its own, which may be elsewhere. */
function listSkillFolders({ HOME, USERPROFILE, CLAUDE_CONFIG_DIR }: Context["env"]): string[] {
  const home = HOME || USERPROFILE;
  if (!home || !existsSync(home))
    throw new EntsError("usage", "there is no home directory", { hint: "use --dir with a folder of skills" });
  const own = CLAUDE_CONFIG_DIR || join(home, ".claude");
  return [join(home, ".agents"), ...(existsSync(own) ? [own] : [])].map((folder) => join(folder, "skills"));
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
