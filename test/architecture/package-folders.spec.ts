import { dirname } from 'node:path';
import { filesOfPackages, importsOf } from './sources.js';

/** For each folder of the packages, the folders that it imports from, with one such import each. */
function importsBetweenFolders(): Map<string, Map<string, string>> {
  const folders = new Map<string, Map<string, string>>();
  for (const file of filesOfPackages()) {
    if (!/\/src\/.*\.ts$/.test(file.path) || file.path.endsWith('.spec.ts')) continue;
    const folder = dirname(file.path);
    const imported = folders.get(folder) ?? new Map<string, string>();
    folders.set(folder, imported);
    for (const { target } of importsOf(file)) {
      if (target !== undefined && dirname(target) !== folder)
        imported.set(dirname(target), `${file.path} imports ${target}`);
    }
  }
  return folders;
}

describe('folders of packages', () => {
  const folders = importsBetweenFolders();

  it('are found', () => {
    expect([...folders.keys()]).toEqual(
      expect.arrayContaining([
        'packages/client/src',
        'packages/loader/src/rows',
        'packages/loader/src/kinds',
      ]),
    );
    expect([...folders.get('packages/loader/src')!.keys()]).toContain('packages/loader/src/commands');
  });

  it('import each other in one direction: there is no circle', () => {
    const circles: string[] = [];
    const finished = new Set<string>();
    const visit = (folder: string, trail: readonly string[]): void => {
      const start = trail.indexOf(folder);
      if (start !== -1) {
        const circle = [...trail.slice(start), folder];
        circles.push(
          circle
            .slice(1)
            .map((to, index) => folders.get(circle[index]!)?.get(to) ?? '')
            .join('; '),
        );
      }
      if (start !== -1 || finished.has(folder)) return;
      for (const to of folders.get(folder)?.keys() ?? []) visit(to, [...trail, folder]);
      finished.add(folder);
    };
    for (const folder of folders.keys()) visit(folder, []);
    expect(circles).toEqual([]);
  });
});
