/** The scripted services that golden files name. */
import { type Answer, type Script, startService } from "../support/scripted-service.ts";
import { envelope, HOUR, POWER, refusal, TOKEN } from "./envelopes.ts";
import { listPlans } from "./plans.ts";

const GATEWAY_PAGE = "<!doctype html><title>502 Bad Gateway</title>";
const always = (answer: Answer) => () => answer;

export const SERVICES: Readonly<Record<string, Script>> = {
  power: always(POWER),
  "refused-token": always(refusal(401, "Authentication failed")),
  forbidden: always({ status: 403, body: { detail: "Your plan does not include facility data." } }),
  "bad-request": always(refusal(400, "Unknown network: nem")),
  "wrong-endpoint": always(refusal(400, "Metric 'price' is not supported by this endpoint")),
  "too-long-window": always({
    status: 400,
    body: { detail: { error: "Unsupported parameters.", hint: "Use another grouping." } },
  }),
  "bad-parameter": always({
    status: 422,
    body: {
      detail: [
        {
          loc: ["query", "network_region"],
          msg: "String should match pattern '^[A-Z]+[0-9]$'",
          type: "string_pattern_mismatch",
        },
      ],
    },
  }),
  "unknown-path": always({ status: 404, body: { detail: "Not Found" } }),
  "no-data": always(refusal(404, "No data available for the given parameters")),
  "no-data-before-4-5": always(refusal(416, "No data available for the given parameters")),
  "empty-data": always({ body: envelope([]) }),
  "success-false": always({
    body: {
      version: "4.5.1",
      created_at: "2025-01-02T00:00:00Z",
      success: false,
      error: "Query was cancelled",
      data: [],
    },
  }),
  "html-page": always({ body: "<!doctype html><title>Welcome to our portal</title>" }),
  "another-shape": always({ body: [{ code: "NEM" }] }),
  "another-series-shape": always({
    body: `{"version":"5.0.0","created_at":"2027-01-01T00:00:00Z","data":[{"series":"power","values":[1, 2.50]}],"pages":{"next":null}}`,
    headers: { "content-type": "application/json" },
  }),
  "cut-short": always({ ...POWER, end: "hang up" }),
  busy: always(refusal(429, "Too many requests", { "retry-after": "0" })),
  "bad-gateway": always({ status: 502, body: GATEWAY_PAGE }),
  "once-busy": [refusal(429, "Too many requests", { "retry-after": "1" }), POWER],
  resets: always({ instead: "reset" }),
  silent: always({ instead: "stall" }),
  redirects: always({ status: 302, headers: { location: "https://login.example.org/sso" } }),
  "no-account": always({ status: 403, body: { detail: "Not authenticated" } }),
  account: (request) =>
    request.url === "/v4/me"
      ? {
          body: {
            data: {
              id: "u1",
              full_name: "A. Analyst",
              plan: "COMMUNITY",
              credits: { remaining: 471, reset: "2025-01-02T00:00:00Z" },
            },
          },
        }
      : POWER,
  "pro-account": (request) =>
    request.url === "/v4/me" ? { body: { data: { id: "u1", plan: "PRO", credits: { remaining: 4871 } } } } : POWER,
  "academic-account": ({ url }) => {
    if (url === "/v4/plans") return { body: listPlans({ ACADEMIC: { daily_credits: 3000, burst_rate_limit: "4/s" } }) };
    return url === "/v4/me" ? { body: { data: { id: "u1", plan: "ACADEMIC", credits: { remaining: 2871 } } } } : POWER;
  },
  "spent-quota": [POWER, ...Array<Answer>(20).fill(refusal(401, "Authentication failed"))],
  "heavy-query": always(refusal(500, "Error executing query")),
  labels: always({ body: envelope([{ series: LABELS() }, { metric: "energy", unit: "MWh", series: LABELS() }]) }),
  twice: always({ body: envelope([{ series: [{ points: [...HOUR, ...HOUR] }] }]) }),
};

/** Labels that only a hostile service sends, a boolean, a null, and series with different ends. */
function LABELS() {
  return [
    {
      labels: { fueltech: "wind", renewable: true },
      points: [HOUR[0], ["2025-01-01T01:00:00+10:00", null]] as typeof HOUR,
    },
    { labels: { fueltech: '=HYPERLINK("http://example.org")', renewable: false }, points: [HOUR[1]] as typeof HOUR },
    { labels: { fueltech: 'a "quoted", comma\'d label', renewable: false }, points: [HOUR[0]] as typeof HOUR },
  ];
}

/** Starts the service that a golden block names; the variables that lead to it. */
export async function openService({
  service,
}: {
  readonly service: string | undefined;
}): Promise<Record<string, string>> {
  if (service === undefined) return {};
  const script = SERVICES[service];
  if (script === undefined) throw new Error(`services.ts has no service ${service}`);
  return { ENTS_BASE_URL: (await startService(script)).url, ENTS_TOKEN: TOKEN };
}
