/** The release of the public service that the sandbox imitates where v4.md says nothing. */
export const SERVICE_VERSION = "4.5.11";
