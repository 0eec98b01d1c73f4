/** Datasets in the folder of a home, and a service whose data grow from night to night. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { TOKEN } from "../e2e/envelopes.ts";
import { answerQuery, intervalsOf, HOUR, type World, WORLD } from "../faults/world.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import { type Answer, type ScriptedService, startService } from "../support/scripted-service.ts";
import { DAY, type LocalTime } from "../../src/time/local-time.ts";

export const day = (count: number): LocalTime => Date.UTC(2025, 0, 1) + count * DAY;

/** Hourly values from January 2025 on. */
export const HOURLY: World = {
  ...WORLD,
  interval: "1h",
  step: HOUR,
  intervalOf: intervalsOf(HOUR),
  fills: false,
  series: [{ labels: { region: "NSW1" } }, { labels: { region: "VIC1" }, from: day(20) }],
};

/** All files of a folder by path, except kept answers. */
export function readFiles(folder: string, under = ""): Record<string, Buffer> {
  const entries = readdirSync(join(folder, under), { withFileTypes: true }).filter(({ name }) => name !== ".ents");
  return Object.assign(
    {},
    ...entries
      .map((entry) => ({ entry, path: posix.join(under, entry.name) }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ entry, path }) =>
        entry.isDirectory() ? readFiles(folder, path) : { [path]: readFileSync(join(folder, path)) },
      ),
  ) as Record<string, Buffer>;
}

/** The files of the partitions, as text. */
export function readData(folder: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readFiles(folder)).flatMap(([path, bytes]) =>
      path === "_datapackage.json" ? [] : [[path, bytes.toString("latin1")]],
    ),
  );
}

/** The lines of all csv files under their common header. */
export function joinCsv(folder: string): string {
  const texts = Object.values(readData(folder));
  const headers = new Set(texts.map((text) => text.slice(0, text.indexOf("\n") + 1)));
  if (headers.size !== 1) throw new Error(`other headers: ${[...headers].join("")}`);
  return [...headers].join("") + texts.map((text) => text.slice(text.indexOf("\n") + 1)).join("");
}

export async function readParquet(folder: string): Promise<Record<string, unknown>[]> {
  const files = Object.entries(readFiles(folder)).filter(([path]) => path.endsWith(".parquet"));
  const parts = await Promise.all(
    files.map(([, bytes]) => parquetReadObjects({ file: Uint8Array.from(bytes).buffer })),
  );
  return parts.flat();
}

interface Description {
  readonly resources: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly rows: number;
    readonly hash: string;
  }[];
  readonly ents: Readonly<Record<string, unknown>>;
}

export function readDescription(folder: string): Description {
  return JSON.parse(readFileSync(join(folder, "_datapackage.json"), "utf8")) as Description;
}

export interface Place {
  readonly home: Home;
  readonly service: ScriptedService;
  world: World;
  /** The clock of the command and of the service, in network time. */
  now: LocalTime;
  /** How many requests the test has already checked. */
  seen: number;
  /** Changes a correct answer. */
  play: ((url: string, answer: Answer) => Answer) | undefined;
  readonly run: (args: readonly string[]) => Promise<Run>;
}

export async function createPlace(world: World = HOURLY, now: LocalTime = day(40)): Promise<Place> {
  const home = createHome();
  const answer = (url: string): Answer => {
    const body = answerQuery({ ...place.world, now: place.now - 1 }, url);
    if (body === undefined)
      return { status: 404, body: { success: false, error: "No data available for the given parameters" } };
    // A null and no gap would show that the service fills gaps.
    return {
      body: place.world.fills ? body : body.replaceAll(",null]", ",0]"),
      headers: { "content-type": "application/json" },
    };
  };
  const service = await startService(({ url }) => place.play?.(url, answer(url)) ?? answer(url));
  const place: Place = {
    home,
    service,
    world,
    now,
    seen: 0,
    play: undefined,
    run: (args) =>
      home.run([...args, "--rate", "1000"], {
        env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
        dispatcher: service.dispatcher,
        clock: { now: () => place.now - 10 * HOUR },
      }),
  };
  return place;
}
