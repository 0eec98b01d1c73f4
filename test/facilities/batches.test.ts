/** Requests for picked units: each has facilities together with their own units. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { batchParameters } from "../../src/plan/request-path.ts";
import { listRequests, planQuery } from "../../src/plan/plan.ts";
import { buildQuery } from "../../src/query/build-query.ts";
import type { PickedUnit } from "../../src/query/query.ts";

/** Facilities of 1 to 70 units. */
const fleets: fc.Arbitrary<PickedUnit[]> = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.integer({ min: 25, max: 70 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((sizes) =>
    sizes.flatMap((size, facility) =>
      Array.from({ length: size }, (_, unit) => ({ facility: `F${facility}`, unit: `F${facility}U${unit}` })),
    ),
  );

test("at most 30 of each, every unit once, each facility with at least one of its units, in as few requests as possible", () => {
  fc.assert(
    fc.property(fleets, (units) => {
      const others = [{ name: "metrics", values: ["power"] }];
      const requests = batchParameters([...others, { name: "facility_code", values: ["old"] }], units);
      const sent = requests.map(([metrics, facilities, codes, ...rest]) => {
        expect([metrics, rest]).toEqual([others[0], []]);
        expect([facilities?.name, codes?.name]).toEqual(["facility_code", "unit_code"]);
        expect(facilities?.values.length).toBeLessThanOrEqual(30);
        expect(codes?.values.length).toBeLessThanOrEqual(30);
        const own = new Set(codes?.values.map((code) => code.split("U")[0]));
        expect(facilities?.values).toEqual([...own]);
        return codes?.values ?? [];
      });
      expect(sent.flat()).toEqual(units.map(({ unit }) => unit));
      expect(requests).toHaveLength(Math.ceil(units.length / 30));
    }),
  );
});

test("no unit means no request", () => {
  const { query } = buildQuery({
    command: "facilities",
    network: "NEM",
    input: { metrics: ["power"], interval: "5m" },
    now: 0,
  });
  expect(listRequests(planQuery({ ...query, units: [] }, { now: 0, maxWindow: undefined }))).toEqual([]);
});
