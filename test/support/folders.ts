import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const made: string[] = [];

/** Create a folder with files; it is removed after the test file. A file whose name ends in `.gz` is compressed. */
export function folderWith(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-import-test-'));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(bytes) : bytes);
  }
  return folder;
}

afterAll(removeFolders);

export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
