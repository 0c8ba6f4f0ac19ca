/** Hands a file to the person who looks at the page, as a download. */
export function saveFile(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file by then, also one that asks where to put it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
