/** The address of a path of the service. */
export function resolveUrl(baseUrl: URL, path: string): URL {
  return new URL(baseUrl.href.replace(/\/$/, "") + path);
}
