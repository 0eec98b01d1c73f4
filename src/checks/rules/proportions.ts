import { findViolations, type Rule } from "../check.ts";

export const proportions: Rule = {
  name: "proportions",
  says: "a proportion is not below 0 and, of a whole network, not above 100 %",
  needs: "a metric that ends in _proportion",
  source: "a part of a whole; but regions export",
  find: ({ series }) => {
    const own = series.filter(({ metric, unit }) => metric.endsWith("_proportion") && unit === "%");
    if (own.length === 0) return undefined;
    return own.flatMap((one) => {
      const most = Object.hasOwn(one.labels, "region") ? Number.POSITIVE_INFINITY : 100;
      return findViolations(one, (found) => (found < 0 ? 0 : found > most ? most : undefined));
    });
  },
};
