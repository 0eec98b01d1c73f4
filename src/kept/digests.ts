/** The digests of the answers in a folder, which a night keeps for the next one. */
import type { UsedPart, PlannedRequest } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { type Answer, isKnown, type KnownAnswer } from "../series/answer.ts";
import { takePart } from "../series/part.ts";
import type { Source } from "../source/source.ts";
import type { AnswerFolder, KeptAnswer } from "./answer-folder.ts";
import { type Digest, digestAnswer, openDigest } from "./digest.ts";
import { readLines, writeLines } from "./sealed-lines.ts";

interface Digested {
  readonly folder: AnswerFolder;
  readonly query: Pick<Query, "network" | "interval">;
  /** The version of ents. */
  readonly version: string;
}

const FILE = "digests";

export class Digests {
  readonly #of: Digested;
  /** By the name and state of the answer, and the part of it. */
  readonly #known = new Map<string, Digest>();
  readonly #used = new Map<string, Digest>();

  private constructor(of: Digested) {
    this.#of = of;
  }

  static async load(of: Digested): Promise<Digests> {
    const digests = new Digests(of);
    for (const line of await readLines(of.folder.locate(FILE), of.version)) {
      const [name, facts, envelope, timeSeries] = line.split("\t") as [string, string, string, string];
      digests.#known.set(name, { ...(JSON.parse(facts) as Omit<Digest, "envelope" | "timeSeries">), envelope, timeSeries });
    }
    return digests;
  }

  /** Keeps the digests that this run has used. */
  async save(): Promise<void> {
    const { folder, version } = this.#of;
    const lines = Array.from(this.#used, ([name, { envelope, timeSeries, ...facts }]) =>
      [name, JSON.stringify(facts), envelope, timeSeries].join("\t"),
    );
    await writeLines(folder.locate(FILE), version, lines);
  }

  /** The digest of an answer, or of the part of it that a request is for. */
  find(answer: KeptAnswer | undefined, part?: PlannedRequest["part"]): Digest | undefined {
    const name = answer && nameDigest(answer, part);
    const digest = name === undefined ? undefined : (this.#used.get(name) ?? this.#known.get(name));
    if (name !== undefined && digest) this.#used.set(name, digest);
    return digest;
  }

  /** Answers as their digests, where there is one and all of their points are not needed. */
  standIn(source: Source, needsPoints: (request: PlannedRequest) => boolean): Source {
    return {
      send: async (request, signal) => {
        const kept = this.#of.folder.get(request);
        const digest = needsPoints(request) ? undefined : this.find(kept, request.part);
        if (kept && digest) {
          const response = { ...kept, gzip: false, bytes: Buffer.alloc(0), retryAfter: undefined };
          return { response, kept: "checkpoint", read: async () => ({ response, answer: openDigest(digest) }) };
        }
        const received = await source.send(request, signal);
        const read = async () => {
          const reading = await received.read();
          return { ...reading, answer: this.#add(request, reading.answer) };
        };
        return { ...received, read };
      },
    };
  }

  /** Makes a digest of an answer where there is none, and returns the answer with what it has shown. */
  #add(request: PlannedRequest, answer: Answer): Answer {
    const kept = this.#of.folder.get(request);
    const name = kept && nameDigest(kept, request.part);
    if (name === undefined || !isKnown(answer) || answer.incomplete) return answer;
    const { network, interval } = this.#of.query;
    const digest = this.find(kept, request.part) ?? digestAnswer(takePart(answer, network, request.part) as KnownAnswer, interval);
    this.#used.set(name, digest);
    return { ...answer, seen: digest.seen };
  }
}

/** Undefined for an answer without a file. */
function nameDigest({ name, state }: KeptAnswer, { from, until }: Partial<UsedPart> = {}): string | undefined {
  return name === undefined ? undefined : `${name} ${state} ${from} ${until}`;
}
