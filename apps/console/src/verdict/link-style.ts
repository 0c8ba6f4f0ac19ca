/** Adds the styles of a part of the page that is loaded later: the build links only those of the start. */
export function linkStyle(href: string): void {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}
