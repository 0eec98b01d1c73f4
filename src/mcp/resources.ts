/** What clients can read without a call: the page for assistants, the metrics, and the outputs of the folder. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Context } from "../base/context.ts";
import { attempt, usageError } from "../base/errors.ts";
import { formatSkill } from "../cli/skill.ts";
import { tabulateMetrics } from "../facilities/tables.ts";
import { findMimeType } from "./outputs.ts";
import type { Server } from "./tools.ts";

const OUTPUT = "ents://outputs/";

export function createResources({ outputs }: Server, context: Context) {
  const known = [
    {
      uri: "ents://skill",
      name: "skill",
      title: "How to use ents in a shell",
      description: "Commands, traps and errors of the command line",
      mimeType: "text/markdown",
      read: () => formatSkill(context.version),
    },
    {
      uri: "ents://metrics",
      name: "metrics",
      title: "Metrics",
      description: "All metrics with unit, meaning and the commands that have them",
      mimeType: "application/json",
      read: () => JSON.stringify(tabulateMetrics().entries.map(({ item }) => item.cells)),
    },
  ];
  const list = () => [
    ...known.map(({ uri, name, title, description, mimeType }) => ({ uri, name, title, description, mimeType })),
    ...(outputs?.list() ?? []).map(({ name }) => ({
      uri: OUTPUT + encodeURIComponent(name),
      name,
      title: name,
      description: "The description of an output: columns, units, window, source, licence",
      mimeType: "application/json",
    })),
  ];
  return {
    list,
    /** @throws {EntsError} usage: there is none. */
    read: (uri: string) => {
      const resource = known.find((one) => one.uri === uri);
      if (resource) return { uri, mimeType: resource.mimeType, text: resource.read() };
      const described = outputs?.list().find(({ name }) => uri === OUTPUT + encodeURIComponent(name));
      if (described) return { uri, mimeType: "application/json", text: described.text };
      const path = attempt(() => outputs?.locate(fileURLToPath(uri)));
      const mimeType = path === undefined ? undefined : findMimeType(path);
      const bytes = path === undefined || mimeType === undefined ? undefined : attempt(() => readFileSync(path));
      if (!bytes || mimeType === undefined) throw usageError(`there is no resource ${uri}`);
      return mimeType === "image/png"
        ? { uri, mimeType, blob: bytes.toString("base64") }
        : { uri, mimeType, text: bytes.toString() };
    },
  };
}
