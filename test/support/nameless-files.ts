import { fstatSync, readdirSync } from 'node:fs';

/** How many files this process has open that have no name any more (src/infrastructure/files/temporary-file.ts). */
export function namelessFiles(): number {
  return readdirSync('/dev/fd').filter((descriptor) => isNamelessFile(Number(descriptor))).length;
}

function isNamelessFile(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.nlink === 0;
  } catch {
    // That of the folder itself is closed again.
    return false;
  }
}
