/** Offers a file to the user as a download. */
export function offerDownload(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has saved the file, even if it asked where to put it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
