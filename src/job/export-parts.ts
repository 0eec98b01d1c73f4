/** What an export is made of. */
import type { Provenance } from "../format/format.ts";
import type { OutputValues } from "../format/output-options.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import type { PickValues } from "../options/list-options.ts";
import type { QueryValues } from "../options/query-options.ts";
import type { UpkeepValues } from "../options/upkeep-options.ts";
import type { Plan } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import type { KeyLimits } from "../settings/key-limits.ts";
import type { AnswerFolder } from "../kept/answer-folder.ts";
import type { Service } from "../source/open-service.ts";
import type { Destination } from "./destination/destination.ts";
import type { Observer } from "./observer.ts";
import type { Output } from "./output.ts";
import type { Progress } from "./progress.ts";

export interface Export {
  readonly query: Query;
  /** What the query is warned of. */
  readonly warnings: readonly string[];
  readonly output: Output;
  readonly options: FetchValues &
    OutputValues &
    UpkeepValues &
    Pick<QueryValues, "dateStart" | "last" | "facilityCode" | "unitCode" | "batch">;
  /** Flags that pick units from a list. */
  readonly picks: PickValues | undefined;
  /** The command that resumes this export if it stops. */
  readonly rerunCommand: string;
}

/** An export with what is stored for it. */
export interface Resolved extends Export {
  readonly options: Export["options"] & { readonly concurrency: number };
  readonly provenance: Provenance;
  readonly keyLimits: KeyLimits;
  /** Whether its facility and unit codes were held against a list. */
  readonly checksCodes: boolean;
}

export interface ExportParts {
  readonly plan: Plan;
  readonly destination: Destination;
  /** The answers of an output that is a file, or a folder of files. */
  readonly folder: AnswerFolder | undefined;
  readonly service: Service;
  readonly progress: Progress;
  readonly observers: readonly Observer[];
}
