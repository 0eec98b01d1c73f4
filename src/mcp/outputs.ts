/** The folder of outputs: what tools may write there, and what is there. */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Context } from "../base/context.ts";
import { attempt, usageError } from "../base/errors.ts";
import { shortenTyped } from "../base/phrases.ts";
import { findDescriptor } from "../export/destination/interface.ts";
import { DESCRIPTOR } from "../export/destination/dataset/partition.ts";
import { type Descriptor, parseDescriptor } from "../export/package/descriptor.ts";
import { requireExpanded } from "../files/folders.ts";
import { hasContent } from "../files/hash-file.ts";
import { hasFinishedRun } from "../store/journal.ts";

export type Outputs = ReturnType<typeof openOutputs>;

/** The description of an output: a Frictionless Data Package, as JSON. */
export interface DescribedOutput {
  readonly name: string;
  readonly text: string;
}

const PICTURES: Readonly<Record<string, string>> = { png: "image/png", svg: "image/svg+xml", html: "text/html" };

/** Of a picture; undefined for other files. */
export function findMimeType(path: string): string | undefined {
  return PICTURES[path.split(".").at(-1) ?? ""];
}

/** @throws {EntsError} usage: no folder. */
export function openOutputs(name: string, { cwd }: Pick<Context, "cwd">) {
  const folder = resolve(cwd, requireExpanded(name, "--folder"));
  if (attempt(() => statSync(folder))?.isDirectory() !== true)
    throw usageError(`${name} is not a folder`, "create it first", { value: name });
  const read = (output: string): string | undefined =>
    attempt(() => readFileSync(findDescriptor(output), "utf8")) ??
    attempt(() => readFileSync(join(output, DESCRIPTOR), "utf8"));
  /** Undefined if there is no description, or none that ents wrote. */
  const describe = (output: string): Descriptor | undefined => parseDescriptor(read(output) ?? "");
  return {
    /**
     * The path of an output. It is inside the folder if what would be written is: links are followed, or refused.
     * @throws {EntsError} usage: it would be elsewhere, or is hidden.
     */
    locate: (output: string): string => {
      const path = resolve(folder, output);
      const [root, parent] = [folder, dirname(path)].map((place) => attempt(() => realpathSync(place)));
      const isLink = attempt(() => lstatSync(path))?.isSymbolicLink() === true;
      const inside =
        root === undefined || parent === undefined || isLink ? "" : relative(root, join(parent, basename(path)));
      const isHidden = /(^|[/\\])\./.test(inside) || /\p{Cc}/u.test(output);
      if (inside !== "" && !isHidden && !isAbsolute(inside)) return path;
      throw usageError(
        `"${shortenTyped(output)}" is not a name of a file in ${folder}`,
        "use a name such as prices.csv",
        {
          flag: "output",
          value: shortenTyped(output),
        },
      );
    },
    /** @throws {EntsError} usage: a file that ents has not made, or that somebody has changed since. */
    requireOwn: async (path: string): Promise<void> => {
      if (!existsSync(path) || (await hasFinishedRun(`${path}.ents`).catch(() => false))) return;
      const [file] = describe(path)?.files ?? [];
      if (file?.path === basename(path) && (await hasContent(path, file))) return;
      throw usageError(
        `${basename(path)} is there already, and is not as ents made it`,
        "use another output, or overwrite to replace it",
        { flag: "output", value: basename(path) },
      );
    },
    /** The outputs that have a description, by name. */
    list: (): readonly DescribedOutput[] => {
      const names = (attempt(() => readdirSync(folder)) ?? []).map((entry) =>
        entry.replace(/\.datapackage\.json$/, ""),
      );
      return [...new Set(names)].toSorted().flatMap((entry) => {
        const text = entry.startsWith(".") ? undefined : read(join(folder, entry));
        return text !== undefined && attempt(() => parseDescriptor(text)) ? [{ name: entry, text }] : [];
      });
    },
    describe,
  };
}
