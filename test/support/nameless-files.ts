import { fstatSync, readdirSync } from 'node:fs';

/** The number of unlinked files that this process has open (src/infrastructure/files/temporary-file.ts). */
export function namelessFiles(): number {
  return readdirSync('/dev/fd').filter((descriptor) => isNamelessFile(Number(descriptor))).length;
}

function isNamelessFile(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.nlink === 0;
  } catch {
    // The descriptor with which readdir read the folder is closed again.
    return false;
  }
}
