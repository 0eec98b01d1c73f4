/** An export as one record: what the command asks for, what is known before its first request, and what is open. */
import type { Surroundings } from "../base/report.ts";
import type { Provenance } from "../format/format.ts";
import type { OutputValues } from "../format/output-options.ts";
import type { ResponseFolder } from "../store/response-folder.ts";
import type { CachedService } from "../store/cache.ts";
import type { SplitGrid } from "../store/segments.ts";
import type { Reason } from "../store/journal.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import type { PickValues } from "../options/list-options.ts";
import type { QueryValues } from "../options/query-options.ts";
import type { UpkeepValues } from "../options/upkeep-options.ts";
import type { Plan } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import type { KeyLimits } from "../settings/key-limits.ts";
import type { Settings } from "../settings/settings.ts";
import type { LocalTime } from "../time/local-time.ts";
import type { Destination } from "./destination/interface.ts";
import type { PathTarget } from "./destination/target.ts";
import type { Observer } from "./observe.ts";
import type { Output } from "./output.ts";
import type { Descriptor } from "./package/descriptor.ts";
import type { Progress } from "./progress.ts";

/** What a command asks for. */
export interface ExportRequest {
  readonly query: Query;
  /** How an ambiguous query was understood. */
  readonly notes: readonly string[];
  /** Warnings about the query. */
  readonly warnings: readonly string[];
  readonly output: Output;
  readonly options: FetchValues &
    OutputValues &
    UpkeepValues &
    Pick<
      QueryValues,
      "dateStart" | "dateEnd" | "last" | "complete" | "facilityCode" | "unitCode" | "batch" | "allowUnknown"
    >;
  /** True if its facility and unit codes were checked against a list. */
  readonly checksCodes?: boolean;
  /** Flags that pick units from a list. */
  readonly picks: PickValues | undefined;
  /** The command that resumes this export if it stops. */
  readonly rerunCommand: string;
  /** The command for the output's description, which `ents update` runs: without flags that are meant once. */
  readonly command: string;
  /** When its units had data, if that is never in the window. */
  readonly lifetimes?: readonly string[] | undefined;
  /** Run by `--follow` instead of an export that ends. */
  readonly follow?: ((job: Job) => Promise<void>) | undefined;
}

/** All of a job that is known before anything is opened for it. */
export interface PlannedJob extends ExportRequest, Surroundings {
  readonly settings: Settings;
  /** With the settings and the limits of the key. */
  readonly options: ExportRequest["options"] & { readonly concurrency: number };
  readonly keyLimits: KeyLimits;
  readonly provenance: Provenance;
  /** The stored responses of an output that is a file or a folder of files; undefined for other outputs. */
  readonly folder: ResponseFolder | undefined;
  /** For `--update`. */
  readonly update?: Continued | undefined;
  readonly plan: Plan;
  /** True for another output of stored responses: no service is asked. */
  readonly isStored?: boolean | undefined;
}

/** How an update continues its output. */
export interface Continued {
  /** How its time is cut. */
  readonly grid: SplitGrid;
  /** The start of the output before, in network time; undefined if there was none, or one of another query. */
  readonly startBefore: LocalTime | undefined;
  /** True if the output before lacks some of the metrics. */
  readonly hasNewMetrics: boolean;
  /** The description of the output before, if the journal is lost. */
  readonly described: Descriptor | undefined;
}

/** The requests that are sent, as far as they are known before the first response. */
export interface MissingPlan extends Plan {
  /** The number of responses that are stored already. */
  readonly atHand: number;
  /** Why an update sends each request, by its path. */
  readonly reasons?: ReadonlyMap<string, Reason>;
  /** Where the part begins that an update must get, in network time. */
  readonly from?: LocalTime | undefined;
}

/** One export, from its query to its output, ready to run. */
export interface Job extends PlannedJob {
  readonly destination: Destination;
  readonly service: CachedService;
  readonly progress: Progress;
  readonly observers: readonly Observer[];
}

/** A job that writes a file or a folder of files, from responses that are stored beside it. */
export interface FileJob extends Job {
  readonly target: PathTarget;
  readonly folder: ResponseFolder;
}
