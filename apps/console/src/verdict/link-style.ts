/** Puts the styles of a part on the page that is loaded later: the build links those alone that the page starts with. */
export function linkStyle(href: string): void {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}
