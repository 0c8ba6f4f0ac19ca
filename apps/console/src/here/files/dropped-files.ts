/**
 * The files that were dropped on the page, including those in folders.
 *
 * Fails: never; unreadable entries are left out.
 */
export async function listDroppedFiles(dropped: DataTransfer): Promise<readonly File[]> {
  // Entries exist only during the event, so they are taken before any await.
  const entries = [...dropped.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return [...dropped.files];
  return (await Promise.all(entries.map((entry) => listEntryFiles(entry)))).flat();
}

async function listEntryFiles(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry.isFile) {
    const file = await new Promise<File | undefined>((resolve) => {
      (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined));
    });
    if (file === undefined) return [];
    return [entry.fullPath.lastIndexOf("/") > 0 ? copyFileWithPath(file, entry.fullPath.slice(1)) : file];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  for (;;) {
    const batch = await new Promise<readonly FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => resolve([]));
    });
    if (batch.length === 0) return files;
    for (const found of await Promise.all(batch.map((inner) => listEntryFiles(inner)))) {
      for (const file of found) files.push(file);
    }
  }
}

/** A file with its path in the folder. Its bytes are not copied. */
function copyFileWithPath(file: File, path: string): File {
  return new File([file], path, { lastModified: file.lastModified });
}
