import * as z from "zod/mini";

/** Loose: keeps the fields of newer versions. */
const schema = z.looseObject({
  config: z._default(z.record(z.string(), z.string()), {}),
  tokens: z._default(z.record(z.string(), z.string()), {}),
  plans: z.optional(z.record(z.string(), z.string())),
});

/** The content of the config file. @throws {Error} it is not that. */
export function parseStored(text: string): z.infer<typeof schema> {
  return schema.parse(JSON.parse(text));
}
