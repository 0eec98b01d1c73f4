/** The whole way of a request: query → plan → answer → series → rows → format → sink. */
import type { Context } from "../context.ts";
import { EntsError } from "../errors.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { planQuery } from "../plan.ts";
import type { Query } from "../query/query.ts";
import type { Report } from "../report.ts";
import type { Envelope } from "../series/envelope.ts";
import { checkService, openService } from "../service/service.ts";
import { openSink, writeAll } from "../sink/open.ts";
import { isMetric, METRICS } from "../vocabulary.ts";
import { encodeAnswer } from "./encode.ts";
import type { Output } from "./output.ts";
import { writePlan } from "./write-plan.ts";

export interface Export {
  readonly query: Query;
  readonly output: Output;
  readonly fetch: FetchValues;
}

/**
 * Fetches what the query asks and writes it in full, or leaves the output as it was.
 * @throws {EntsError} of every kind.
 */
export async function exportData({ query, output, fetch }: Export, context: Context, report: Report): Promise<void> {
  checkService(fetch);
  const plan = planQuery(query, context.now());
  if (fetch.dryRun) return writePlan(plan, { output, fetch, report }, context);
  const service = await openService(fetch, context, report);
  try {
    const sink = await openSink(output.path, context.stdout.stream);
    await writeAll(sink, fetchAndEncode());
  } finally {
    await service.close();
  }

  async function* fetchAndEncode(): AsyncGenerator<string> {
    for (const request of plan.requests) {
      const envelope = await service.client.send(request).catch((error: unknown) => {
        throw hintAtEndpoint(error, query);
      });
      if (isEmpty(envelope)) report.note(`the service has no data for this query`);
      yield* encodeAnswer(envelope, query, output);
    }
  }
}

function isEmpty({ data }: Envelope): boolean {
  return data.length === 0;
}

/** A metric of another endpoint is the service's to refuse, and ours to explain. */
function hintAtEndpoint(error: unknown, { command, metrics }: Query): unknown {
  if (!(error instanceof EntsError) || error.kind !== "refused") return error;
  const elsewhere = metrics.filter((name) => isMetric(name) && !(METRICS[name].offeredBy as readonly string[]).includes(command));
  if (elsewhere.length === 0) return error;
  const places = elsewhere.map((name) => describeOffer(name));
  return new EntsError("refused", error.message, { cause: error.cause, hint: `on the public service, ${places.join("; ")}` });
}

function describeOffer(name: string): string {
  const commands = isMetric(name) ? METRICS[name].offeredBy : [];
  if (commands.length === 0) return `${name} is offered by no endpoint`;
  return `${name} is offered by ${commands.map((command) => `'ents ${command}'`).join(" and ")}`;
}
