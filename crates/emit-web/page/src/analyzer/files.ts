// Files that a user drops or chooses: each with the directories that it was given with.

export interface Given {
  /** Names of directories and of the file, parted by "/". */
  path: string;
  file: File;
}

/** The files of a drop, those in directories included, in the order of their names. */
export async function dropped(transfer: DataTransfer): Promise<Given[]> {
  // The list is empty after the first wait: entries are taken out before.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const found: Given[] = [];
  for (const entry of entries) await walk(entry, "", found);
  return found;
}

async function walk(entry: FileSystemEntry, above: string, found: Given[]): Promise<void> {
  const path = above + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // A reader gives a hundred names at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some);
  }
  all.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const inner of all) await walk(inner, `${path}/`, found);
}

/** The files that a field was given; of a directory with their path below it. */
export function chosen(files: FileList): Given[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}
