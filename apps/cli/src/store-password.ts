/** Whether a store's URL is of PostgreSQL. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

/** Whether a password stands in a store's URL. */
export function hasPassword(url: string): boolean {
  return withoutStorePassword(url) !== url;
}

/** A store's URL as it may be shown: without what may be a password, however the URL is malformed. */
export function withoutStorePassword(url: string): string {
  if (url.startsWith("sqlite:")) return url;
  const at = url.lastIndexOf("@");
  const scheme = url.indexOf("://");
  const colon = scheme === -1 ? url.indexOf(":") : url.indexOf(":", scheme + 3);
  const shown = at > colon && colon !== -1 ? `${url.slice(0, colon)}:***${url.slice(at)}` : url;
  return shown.replace(/([?&][^=&?]*password=)[^&]*/gi, "$1***");
}
