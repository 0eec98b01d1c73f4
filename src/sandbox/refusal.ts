/** A problem with one parameter, as the public service's framework reports it with status 422. */
export interface ParameterProblem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: string | null | readonly string[];
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** An error response. */
export class SandboxRefusal extends Error {
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
export function refuse(status: number, error: string, headers?: Readonly<Record<string, string>>): SandboxRefusal {
  return new SandboxRefusal(
    status,
    { version: SERVICE_VERSION, response_status: "ERROR", error, success: false },
    headers,
  );
}

export function refuseParameters(problems: readonly ParameterProblem[]): SandboxRefusal {
  return new SandboxRefusal(422, { detail: problems });
}

/** The framework's own error body, for unknown paths and methods. */
export function refuseDetail(
  status: number,
  detail: unknown,
  headers?: Readonly<Record<string, string>>,
): SandboxRefusal {
  return new SandboxRefusal(status, { detail }, headers);
}

/** The release of the public service that the sandbox imitates where v4 is silent. */
export const SERVICE_VERSION = "4.5.17";
