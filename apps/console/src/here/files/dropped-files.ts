/**
 * The files that were dropped on the page, those of folders with them.
 *
 * Fails: never; what cannot be read is left out.
 */
export async function droppedFiles(dropped: DataTransfer): Promise<readonly File[]> {
  // Entries are there only until the event is over, so they are taken before anything waits.
  const entries = [...dropped.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return [...dropped.files];
  return (await Promise.all(entries.map((entry) => filesOf(entry)))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry.isFile) {
    const file = await new Promise<File | undefined>((resolve) => {
      (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined));
    });
    if (file === undefined) return [];
    return [entry.fullPath.lastIndexOf("/") > 0 ? withPath(file, entry.fullPath.slice(1)) : file];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  for (;;) {
    const batch = await new Promise<readonly FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => resolve([]));
    });
    if (batch.length === 0) return files;
    for (const found of await Promise.all(batch.map((inner) => filesOf(inner)))) {
      for (const file of found) files.push(file);
    }
  }
}

/** A file under the path that it has in the folder. Its bytes stay where they are. */
function withPath(file: File, path: string): File {
  return new File([file], path, { lastModified: file.lastModified });
}
