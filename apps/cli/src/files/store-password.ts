/** True if a store's URL is of PostgreSQL. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

/** True if a store's URL contains a password. */
export function hasPassword(url: string): boolean {
  return withoutStorePassword(url) !== url;
}

/** A store's URL as it may be shown: without anything that may be a password, even in a malformed URL. */
export function withoutStorePassword(url: string): string {
  if (url.startsWith("sqlite:")) return url;
  const at = url.lastIndexOf("@");
  const scheme = url.indexOf("://");
  const colon = scheme === -1 ? url.indexOf(":") : url.indexOf(":", scheme + 3);
  const shown =
    at > colon && colon !== -1 ? `${url.slice(0, colon)}:***${url.slice(at)}` : maskMalformedPort(url);
  return shown.replace(PARAMETER, "$1***");
}

/** Matches a parameter with a name like password, or one encoded so that it may be; also in `host=… password=…`. */
const PARAMETER = /((?:^|[?&\s])(?:[^=&?\s]*password|[^=&?\s%]*%[^=&?\s]*)\s*=\s*)[^&\s]*/gi;

/** For a URL cut off before its host: text after the colon that is no port may be a password. */
function maskMalformedPort(url: string): string {
  return url.replace(/^(\w+:\/\/[^/?#:[]*:)(?!\d*(?:[/?#,]|$)).*$/s, "$1***");
}
