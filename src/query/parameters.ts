export interface Parameter {
  readonly name: string;
  readonly values: readonly string[];
}

/** The values that a query sends of a parameter; undefined if it sends none. */
export function findValues<P extends Parameter>(
  { parameters }: { readonly parameters: readonly P[] },
  name: string,
): P["values"] | undefined {
  return parameters.find((parameter) => parameter.name === name)?.values;
}
