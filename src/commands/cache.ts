import { formatBytes } from "../base/sizes.ts";
import { formatCount } from "../base/phrases.ts";
import { type CommandSpec, defineCommand } from "../cli/command.ts";
import { LIST_OUTPUT_OPTIONS } from "../format/output-options.ts";
import type { Column } from "../series/layout/layout.ts";

const COLUMNS: readonly Column[] = [
  { name: "path", kind: "text" },
  { name: "responses", kind: "value" },
  { name: "bytes", kind: "value" },
  { name: "limit_bytes", kind: "value" },
  { name: "oldest", kind: "text" },
];

const info = defineCommand({
  options: { Output: LIST_OUTPUT_OPTIONS },
  examples: [{ command: "ents cache info -f json", does: "as JSON, for a script" }],
  run: async ({ options, context, report }) => {
    const [{ describeCache }, { openList }] = await Promise.all([
      import("../store/cache-folder.ts"),
      import("../export/open-list.ts"),
    ]);
    const { path, responses, bytes, limit, oldest } = await describeCache(context);
    const row = [
      path,
      String(responses),
      String(bytes),
      String(limit),
      oldest === undefined ? null : new Date(oldest).toISOString(),
    ];
    const { writeTable } = await openList(options, { context, report });
    await writeTable({ columns: COLUMNS, rows: [row] });
  },
});

const clear = defineCommand({
  run: async ({ context, report }) => {
    const { clearCache } = await import("../store/cache-folder.ts");
    const { path, responses, bytes } = await clearCache(context);
    if (bytes === 0) return report.note(`the cache in ${path} is empty`);
    report.note(`${formatCount(responses, "response")} (${formatBytes(bytes)}) deleted from ${path}`);
  },
});

export const cache: CommandSpec = {
  notes: {
    Cache: [
      "--cache 12h reuses responses that were fetched with --cache in the last 12",
      "hours, and stores new ones.",
      "'ents config set cache 12h' makes it the default; --cache off overrides it.",
    ],
  },
  examples: [
    {
      command: "ents market NEM -m price -i 1d -s 2026-01 -e 2026-06 --cache 7d",
      does: "fetched once, then from the cache for 7 days",
    },
    { command: "ents cache info", does: "path, number of responses, size, limit, oldest response" },
    { command: "ents cache clear", does: "delete all of them" },
  ],
  subcommands: [
    { name: "info", summary: "show where the cache is and what it holds", ...info },
    { name: "clear", summary: "delete the responses in the cache", ...clear },
  ],
};
