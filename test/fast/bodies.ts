/** Generated bodies of a service, as text: usual and unusual ones. */
import fc from "fast-check";

/** A number in any spelling that JSON allows. */
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom("0", "0.0", "-0.0", "40.00", "1e21", "1E-7", "-12.5e+3", "12345678901234567890.123456789", "1e400"),
  fc.integer({ min: -500, max: 20_000 }).map(String),
);
const value = fc.oneof({ arbitrary: number, weight: 12 }, { arbitrary: fc.constant("null"), weight: 2 });
const space = fc.constantFrom("", " ", "\n  ", "\t", "\r\n");
const text = fc.oneof(
  fc.constantFrom("NSW1", "solar_utility", '"data":[["', "a,b", "=1+1", "é\u2028", "\\", "[[", "data"),
  fc.string({ maxLength: 6 }),
);

const OFFSETS = ["+10:00", "Z", "-03:30", "+08:00"] as const;

function timestampAt(minutes: number, offset: string): string {
  return new Date(Date.UTC(2024, 1, 28, 22) + minutes * 60_000).toISOString().slice(0, 19) + offset;
}

/** `[["…",1.0],…]`: in order, with repeats; evenly spaced or not. */
const points = fc
  .record({
    offset: fc.constantFrom(...OFFSETS),
    gap: space,
    steps: fc.array(fc.tuple(fc.constantFrom(0, 5, 5, 5, 60), value), { maxLength: 12 }),
  })
  .map(({ offset, gap, steps }) => {
    let minutes = 0;
    const items = steps.map(([step, number_]) => {
      minutes += step;
      return `[${gap}"${timestampAt(minutes, offset)}"${gap},${gap}${number_}${gap}]`;
    });
    return `[${gap}${items.join(`${gap},${gap}`)}${gap}]`;
  });

/**
 * Points without white space, at the same instants as others of their kind, or with a different or missing last one.
 */
const alikePoints = fc
  .record({
    values: fc.array(value, { minLength: 5, maxLength: 5 }),
    last: fc.constantFrom(20, 20, 20, 25),
    length: fc.constantFrom(5, 5, 5, 4),
    offset: fc.constantFrom("+10:05", "+10:05", "+10:05", "+10:00", "+09:30"),
  })
  .map(({ values, last, length, offset }) => {
    const items = values
      .slice(0, length)
      .map(
        (text_, index) =>
          `["${timestampAt(index === 4 ? last : index * 5, index === 4 ? offset : "+10:05")}",${text_}]`,
      );
    return `[${items.join(",")}]`;
  });

/** Points with something unusual, which the fast decoder leaves to the slow one. */
const unusualPoints = fc.constantFrom(
  '[["2024-02-29T00:00:00+10:00","text"]]',
  '[["2024-02-29T00:05:00+10:00",1],["2024-02-29T00:00:00+10:00",2]]',
  '[["2024-02-29",1]]',
  '[["2024-02-29T00:00+10:00",1]]',
  '[["2024-02-29T00:00:00.500+10:00",1]]',
  '[["2024-02-30T00:00:00+10:00",1]]',
  '[["2024-02-29T00:00:00",1]]',
  '[["2024-02-29T00:00:00+10:00",true]]',
  '[["2024-02-29T00:00:00Z",1],["2024-02-29T10:05:00+10:00",2]]',
  '[["2024-02-29T00:00:00+10:00",1,2]]',
  '[["2024-02-29T00:00:00+10:00",[1]]]',
  '[["2024-02-29T00:00:00+10:00",01]]',
  '[["2024-02-29T00:00:00+10:00",1.]]',
  '[["2024-02-29T00:00:00+10:00",-]]',
  '[["2024-02-29T00:00:00+10:00",nul]]',
  '[["2024-02-29T00:00:00+10:00",1],]',
  '[["2024-02-29T00:00:00+10:00",1]',
  "[[]]",
  "[5]",
  '[["not a stamp",1]]',
  `[["2024-02-29T00:00:00+10:00",${"1".repeat(300)}]]`,
);

const label = fc.oneof(
  text.map((words) => JSON.stringify(words)),
  fc.constantFrom("true", "false", "null", "7", "-0.50"),
);

const series = fc
  .record({
    labels: fc.uniqueArray(fc.tuple(fc.constantFrom("region", "fueltech", "renewable", "é"), label), {
      selector: ([name]) => name,
      maxLength: 3,
    }),
    data: fc.oneof(
      { arbitrary: points, weight: 20 },
      { arbitrary: alikePoints, weight: 30 },
      { arbitrary: unusualPoints, weight: 1 },
    ),
    extra: text,
  })
  .map(({ labels, data, extra }) => {
    const columns = labels.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",");
    return `{"name":${JSON.stringify(extra)},"columns":{${columns}},"data":${data},"unknown":{"data":[1,2]}}`;
  });

const item = fc
  .record({
    metric: fc.constantFrom("power", "price", "=cmd"),
    results: fc.array(series, { maxLength: 4 }),
    stray: fc.constantFrom(
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      "",
      '"data":[["2024-02-29T00:00:00+10:00",1]],',
      '"note":"data",',
    ),
  })
  .map(
    ({ metric, results, stray }) =>
      `{${stray}"network_code":"NEM","metric":"${metric}","unit":"MW","network_timezone_offset":"+10:00","results":[${results.join(",")}]}`,
  );

/** Whole bodies; some are truncated, some have an empty `data`. */
export const bodies = fc
  .record({
    items: fc.array(item, { maxLength: 3 }),
    gap: space,
    cut: fc.option(fc.nat(2000), { freq: 12 }),
    after: fc.constantFrom("", "", "", "", ',"later":[1,"data"]', ',"number":-0e909090'),
  })
  .map(({ items, gap, cut, after }) => {
    const body = `{"version":"4",${gap}"created_at":"2025-01-01T00:00:00Z","success":true,"error":null,"data":${gap}[${items.join(",")}]${after}}`;
    return Buffer.from(cut === null ? body : body.slice(0, cut));
  });
