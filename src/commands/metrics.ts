import type { CommandSpec, Invocation } from "../cli/command.ts";
import { OUTPUT_OPTIONS } from "../options/output-options.ts";
import { parseOptions } from "../options/parse.ts";
import type { Column, Row } from "../series/layout/table.ts";
import { type MetricFacts, METRICS } from "../base/vocabulary.ts";

const { format, output, header } = OUTPUT_OPTIONS;
const OPTIONS = { format, output, header };

export const metrics: CommandSpec = {
  options: { Output: OPTIONS },
  examples: [
    { command: "ents metrics", does: "all 27, without asking a service" },
    { command: "ents metrics -f json", does: "for a script" },
  ],
  run: listMetrics,
};

const COLUMNS: readonly Column[] = ["metric", "unit", "offered_by", "meaning"].map((name) => ({ name, kind: "text" }));

async function listMetrics({ values, context }: Invocation): Promise<void> {
  const [{ resolveOutput }, { encodeTable }, { writeParts }] = await Promise.all([
    import("../job/output.ts"),
    import("../format/encode.ts"),
    import("../job/destination/destination.ts"),
  ]);
  const resolved = await resolveOutput(parseOptions(OPTIONS, values), context.stdout);
  const rows = Object.entries<MetricFacts>(METRICS).map(
    ([name, { unit, meaning, offeredBy }]): Row => [name, unit, offeredBy.join(" "), meaning],
  );
  const formatOptions = { ...resolved.formatOptions, limit: 0 };
  await writeParts(resolved.path, encodeTable({ columns: COLUMNS, rows }, resolved.format, formatOptions), context);
}
