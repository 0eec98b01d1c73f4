/** What an update knows before it looks at the file. */
import type { Interval } from "../../../base/vocabulary.ts";
import type { About } from "../../../format/format.ts";
import type { FetchValues } from "../../../options/fetch-options.ts";
import type { UpkeepValues } from "../../../options/upkeep-options.ts";
import type { Query } from "../../../query/query.ts";
import type { Output } from "../../output.ts";
import type { Describer } from "../../package/describe.ts";
import type { More } from "../interface.ts";
import type { FileTarget } from "../target.ts";

export interface Updating {
  readonly query: Query;
  readonly output: Output;
  readonly options: Pick<UpkeepValues, "revise" | "changes"> & Pick<FetchValues, "dryRun">;
  /** With the whole query. */
  readonly about: About;
  readonly more: More;
}

export interface UpdateFacts extends Updating {
  readonly target: FileTarget;
  readonly describer: Describer;
  readonly interval: Interval;
}
