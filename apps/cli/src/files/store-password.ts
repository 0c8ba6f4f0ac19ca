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
  const shown = at > colon && colon !== -1 ? `${url.slice(0, colon)}:***${url.slice(at)}` : withoutPort(url);
  return shown.replace(PARAMETER, "$1***");
}

/** A parameter that is named for a password, or whose name is written so that it may be; also in `host=… password=…`. */
const PARAMETER = /((?:^|[?&\s])(?:[^=&?\s]*password|[^=&?\s%]*%[^=&?\s]*)\s*=\s*)[^&\s]*/gi;

/** A URL that was cut off before its host: what follows the colon and is no port may be a password. */
function withoutPort(url: string): string {
  return url.replace(/^(\w+:\/\/[^/?#:[]*:)(?!\d*(?:[/?#,]|$)).*$/s, "$1***");
}
