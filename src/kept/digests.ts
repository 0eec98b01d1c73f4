/** Digests of the responses in a folder, saved by an update for the next one. */
import type { UsedPart, PlannedRequest } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { type Answer, isKnown, type KnownAnswer, selectUsed } from "../series/answer.ts";
import type { Source } from "../source/source.ts";
import type { AnswerFolder, KeptAnswer } from "./answer-folder.ts";
import { type Digest, digestAnswer, openDigest } from "./digest.ts";
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { replaceFile } from "../files/replace-file.ts";

interface Digested {
  readonly folder: AnswerFolder;
  readonly query: Pick<Query, "network" | "interval" | "parameters" | "measuredUntil">;
  /** The version of ents. */
  readonly version: string;
}

const FILE = "digests";

export class Digests {
  readonly #of: Digested;
  /** By `#name`: the response's file name and state, and the part of it that is used. */
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

  /** Saves only the digests that this run has used. */
  async save(): Promise<void> {
    const { folder, version } = this.#of;
    const lines = Array.from(this.#used, ([name, { envelope, timeSeries, ...facts }]) =>
      [name, JSON.stringify(facts), envelope, timeSeries].join("\t"),
    );
    await writeLines(folder.locate(FILE), version, lines);
  }

  /** The digest of a response, or of the part of it that a request uses. */
  find(answer: KeptAnswer | undefined, part?: PlannedRequest["part"]): Digest | undefined {
    const name = answer && this.#name(answer, part);
    const digest = name === undefined ? undefined : (this.#used.get(name) ?? this.#known.get(name));
    if (name !== undefined && digest) this.#used.set(name, digest);
    return digest;
  }

  /** Wraps a source so that it returns digests instead of responses whose points are not needed. */
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

  /** Creates the digest of an answer unless it exists, and returns the answer with the digest's `seen`. */
  #add(request: PlannedRequest, answer: Answer): Answer {
    const kept = this.#of.folder.get(request);
    const name = kept && this.#name(kept, request.part);
    if (name === undefined || !isKnown(answer) || answer.incomplete) return answer;
    const { query } = this.#of;
    const digest = this.find(kept, request.part) ?? digestAnswer(selectUsed(answer, query, request.part) as KnownAnswer, query.interval);
    this.#used.set(name, digest);
    return { ...answer, seen: digest.seen };
  }

  /** Undefined for a response without a file. */
  #name({ name, state }: KeptAnswer, { from, until }: Partial<UsedPart> = {}): string | undefined {
    const { parameters, measuredUntil } = this.#of.query;
    const regions = parameters.find((one) => one.name === "network_region")?.values;
    return name === undefined ? undefined : `${name} ${state} ${from} ${until} ${measuredUntil} ${regions?.join(" ")}`;
  }
}

export async function readLines(path: string, version: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [seal, ...lines] = text.split("\n");
  return seal === checksumOf(lines, version) ? lines : [];
}

/** Ignores errors: the file only saves time. */
export async function writeLines(path: string, version: string, lines: readonly string[]): Promise<void> {
  const unfinished = `${path}.part`;
  await writeFile(unfinished, [checksumOf(lines, version), ...lines].join("\n"), { mode: 0o600 })
    .then(() => replaceFile(unfinished, path))
    .catch(() => rm(unfinished, { force: true }).catch(() => {}));
}

function checksumOf(lines: readonly string[], version: string): string {
  const hash = createHash("sha256").update(version);
  for (const line of lines) hash.update(`\n${line}`);
  return hash.digest("hex");
}
