/**
 * A service whose data grow and are restated from night to night, based on the one in memory
 * (test/merge/fake-service.ts).
 */
import { isForecast } from "../../src/base/vocabulary.ts";
import { STEP } from "../merge/model-intervals.ts";
import {
  answerRequest,
  CREATED_AT,
  type ModelSeries,
  offsetMs,
  type ServiceModel,
  type Steps,
} from "../merge/fake-service.ts";
import { refusal } from "../e2e/envelopes.ts";
import { type Answer, type ScriptedService, startService } from "../support/scripted-service.ts";

export interface World {
  model: ServiceModel;
  /** Milliseconds since 1970 UTC. */
  now: number;
  /** What happens to a run's requests, counted from 0; undefined for a normal answer. */
  play: (request: number, url: string) => Answer | undefined;
  /** Changes the text of the response to the request with this number. */
  mark?: (text: string, request: number) => string;
}

export function startWorld(world: World): Promise<ScriptedService> {
  let count = 0;
  return startService(({ url }) => {
    const request = count++;
    const played = world.play(request, url);
    if (played) return played;
    const search = new URL(url, "http://localhost").searchParams;
    const read = (name: string) => (search.has(name) ? Date.parse(`${search.get(name)}Z`) : undefined);
    const metrics = search.getAll("metrics");
    const asked = {
      start: read("date_start") ?? 0,
      end: read("date_end"),
      metrics,
      units: search.has("unit_code") ? search.getAll("unit_code") : undefined,
      shuffle: <T>(items: readonly T[]) => [...items],
    };
    const { status, text: written } = answerRequest(publish(world), asked);
    // By the world's clock, as a service's answer cannot be from the future.
    const text = written.replace(CREATED_AT, new Date(world.now).toISOString());
    return status === 200
      ? { body: world.mark?.(text, request) ?? text, headers: { "content-type": "application/json" } }
      : refusal(404, "No data available for the given parameters");
  });
}

/** The data that exist by now; forecasts go on. */
function publish({ model, now }: World): ServiceModel {
  const until = Math.floor((now + offsetMs(model)) / STEP);
  const cut = (all: readonly Steps[]) =>
    all.map(([from, to]): Steps => [from, Math.min(to, until)]).filter(([from, to]) => from < to);
  const publishOne = (one: ModelSeries) => ({ ...one, present: cut(one.present), nulls: cut(one.nulls) });
  return { ...model, series: model.series.map((one) => (isForecast(one.metric) ? one : publishOne(one))) };
}

/** Without the steps of `hole`. */
export function subtract(all: readonly Steps[], [from, to]: Steps): Steps[] {
  return all
    .flatMap(([start, end]): Steps[] => [
      [start, Math.min(end, from)],
      [Math.max(start, to), end],
    ])
    .filter(([start, end]) => start < end);
}

export function add(all: readonly Steps[], more: Steps): Steps[] {
  return [...subtract(all, more), more].sort(([a], [b]) => a - b);
}

export const MODEL: Omit<ServiceModel, "series"> = {
  network: "NEM",
  offset: "+10:00",
  interval: "1h",
  inclusiveEnd: false,
  timestamps: "offset",
  edges: ["date_start", "date_end"],
  fillsGaps: true,
  namesEmpty: false,
  repeatsApart: false,
  noData: 404,
};

export const SERIES: Omit<ModelSeries, "present" | "labels"> = {
  metric: "power",
  nulls: [],
  base: 7,
  slope: 3,
  repeats: 1,
};
