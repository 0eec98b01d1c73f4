/** The environment variables that ents reads, for help and docs. */
export const ENVIRONMENT: readonly { readonly names: readonly string[]; readonly does: string }[] = [
  { names: ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"], does: "API token (overrides the stored one)" },
  { names: ["ENTS_BASE_URL"], does: "base address of the v4 service" },
  { names: ["ENTS_CONFIG_DIR"], does: "directory of settings and tokens" },
  { names: ["ENTS_CACHE_DIR"], does: "directory of cached answers, lists and code" },
  { names: ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"], does: "proxies (also in lower case)" },
  { names: ["NO_COLOR", "FORCE_COLOR"], does: "colours off or on" },
];
