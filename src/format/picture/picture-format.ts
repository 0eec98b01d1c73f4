import { escapeControls } from "../../base/terminal.ts";
import { DEFAULT_BASE_URL } from "../../base/vocabulary.ts";
import { joinLabels } from "../../series/layout/layout.ts";
import { type DecodedHead, joinEnvelopes } from "../../series/decoded-response.ts";
import { countItems } from "../../series/merge.ts";
import { parseTimestamp } from "../../time/timestamp.ts";
import { resolveInterval, type TimeSeries } from "../../series/time-series.ts";
import type { AnalysisResult } from "../../series/analyses/result.ts";
import type { EncodedParts, Format, FormatOptions, Header } from "../format.ts";
import { nameBefore } from "../../query/transforms.ts";
import { buildPicture } from "./model/build-picture.ts";
import { readComparison } from "./model/comparison.ts";
import type { Picture, Subject } from "./model/picture.ts";

/** Input of a painter, besides the picture. */
export interface DrawContext {
  readonly options: FormatOptions;
  readonly provenance: Header["provenance"];
  /** Returns the picture with at most `maxEntries` entries per legend. */
  readonly fold: (maxEntries: number) => Picture;
}

function pickSubject({
  units,
  rawNames,
  yScale,
  palette,
  title,
  partial,
}: FormatOptions): Pick<Subject, "units" | "rawNames" | "yScale" | "palette" | "title" | "partial"> {
  return { units, rawNames, yScale, palette, title, partial };
}

/** `Source: OpenElectricity, licence: Non-commercial use (community plan)` */
function nameSource({ service, isSynthetic, terms }: NonNullable<Header["provenance"]>): string {
  if (isSynthetic) return `Source: ${service}`;
  const { origin, host } = new URL(service);
  const licence = terms ? `, licence: ${terms.license} (${terms.plan} plan)` : "";
  return escapeControls(`Source: ${origin === DEFAULT_BASE_URL ? "OpenElectricity" : host}${licence}`);
}

/** The instant of the newest response, the now of its forecasts. */
function findNow(heads: readonly DecodedHead[]): number | undefined {
  const created = heads.length === 0 ? null : joinEnvelopes(heads)["created_at"];
  return typeof created === "string" ? parseTimestamp(created, "Z") : undefined;
}

/** Creates a format that draws a picture of the complete result. */
export function createPictureFormat(paint: (picture: Picture, canvas: DrawContext) => EncodedParts): Format {
  return {
    collects: true,
    usesUnits: true,
    open: ({ zone, provenance, join }, options) => {
      let timeSeries: readonly TimeSeries[] = [];
      let createdAt: number | undefined;
      let analysis: AnalysisResult | undefined;
      return {
        write: ({ chunk, placed, onRows }) => {
          // `placed` throws where rows are missing or of an unknown shape.
          if (!chunk || !placed) return [];
          onRows?.(countItems(chunk));
          createdAt = findNow(chunk.heads);
          const queryInterval = placed.find(({ interval }) => interval !== undefined)?.interval;
          const prepare = (items: readonly TimeSeries[]) =>
            (join ? joinLabels(items, join) : items).map((item) => resolveInterval(item, queryInterval));
          timeSeries = prepare(chunk.timeSeries);
          const { picked } = chunk.analysis ?? {};
          analysis = picked ? { ...chunk.analysis, picked: prepare(picked) } : chunk.analysis;
          const { compare } = provenance?.query.transforms ?? {};
          if (compare) ({ timeSeries, analysis } = readComparison({ timeSeries, analysis }, nameBefore(compare)));
          return [];
        },
        end: () => {
          const subject = {
            zone,
            createdAt,
            query: provenance?.query,
            isSynthetic: provenance?.isSynthetic,
            source: provenance && nameSource(provenance),
            asOf: provenance?.asOf,
            analysis,
            ...pickSubject(options),
          };
          const fold = (maxEntries: number) => buildPicture(timeSeries, { ...subject, maxEntries });
          return paint(buildPicture(timeSeries, subject), { options, provenance, fold });
        },
      };
    },
  };
}
