import { SERVICE_VERSION } from "./version.ts";

/** What is wrong with one parameter, in the words of the public service's framework (in-practice.md, 422). */
export interface Problem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: string | null | readonly string[];
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** An answer other than the data that were asked for. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(`${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The public service's usual error body. */
export function refuse(status: number, error: string, headers?: Readonly<Record<string, string>>): Refusal {
  return new Refusal(status, { version: SERVICE_VERSION, response_status: "ERROR", error, success: false }, headers);
}

export function refuseParameters(problems: readonly Problem[]): Refusal {
  return new Refusal(422, { detail: problems });
}

/** The framework's own bodies, for paths and methods that it does not know. */
export function refuseDetail(status: number, detail: unknown, headers?: Readonly<Record<string, string>>): Refusal {
  return new Refusal(status, { detail }, headers);
}
