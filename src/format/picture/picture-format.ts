import { joinLabels } from "../../series/layout/layout.ts";
import { resolveInterval, type TimeSeries } from "../../series/time-series.ts";
import type { EncodedParts, Format, FormatOptions, Header } from "../format.ts";
import { buildPicture } from "./model/build-picture.ts";
import type { Picture, Subject } from "./model/picture.ts";

/** Input of a painter, besides the picture. */
export interface Painting {
  readonly options: FormatOptions;
  readonly provenance: Header["provenance"];
  /** Returns the picture with at most `maxEntries` entries per legend. */
  readonly fold: (maxEntries: number) => Picture;
}

function pickSubject({ units, rawNames, yScale, partial }: FormatOptions): Pick<Subject, "units" | "rawNames" | "yScale" | "partial"> {
  return { units, rawNames, yScale, partial };
}

/** Creates a format that draws a picture of the complete result. */
export function createPictureFormat(paint: (picture: Picture, canvas: Painting) => EncodedParts): Format {
  return {
    collects: true,
    usesUnits: true,
    open: ({ zone, provenance, join }, options) => {
      let timeSeries: readonly TimeSeries[] = [];
      return {
        write: ({ chunk, placed }) => {
          // `placed` throws where rows are missing or of an unknown shape.
          if (!chunk || !placed) return [];
          const queryInterval = placed.find(({ interval }) => interval !== undefined)?.interval;
          timeSeries = (join ? joinLabels(chunk.timeSeries, join) : chunk.timeSeries).map((item) => resolveInterval(item, queryInterval));
          return [];
        },
        end: () => {
          const subject = { zone, query: provenance?.query, isSynthetic: provenance?.isSynthetic, ...pickSubject(options) };
          const fold = (maxEntries: number) => buildPicture(timeSeries, { ...subject, maxEntries });
          return paint(buildPicture(timeSeries, subject), { options, provenance, fold });
        },
      };
    },
  };
}
