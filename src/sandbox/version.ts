/** The release of the public service whose behaviour the sandbox follows where v4.md is silent. */
export const SERVICE_VERSION = "4.5.0";
