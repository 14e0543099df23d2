import { dirname } from 'node:path';
import { circles, filesOfPackages, importsOf } from './sources.js';

/** The source files of the packages, with the files of the project that each imports, types included. */
const files = new Map(
  filesOfPackages()
    .filter(({ path }) => /\/src\/.*\.ts$/.test(path) && !path.endsWith('.spec.ts'))
    .map((file) => [file.path, new Set(importsOf(file).flatMap(({ target }) => target ?? []))]),
);

const folders = new Map<string, Set<string>>();
for (const [path, targets] of files) {
  const own = dirname(path);
  const others = [...targets].map(dirname).filter((folder) => folder !== own);
  folders.set(own, new Set([...(folders.get(own) ?? []), ...others]));
}

describe('packages', () => {
  it('are found', () => {
    expect([...files.keys()]).toContain('packages/client/src/client.ts');
    expect([...folders.get('packages/loader/src')!]).toContain('packages/loader/src/commands');
    expect([...folders.get('packages/loader/src/rows')!]).toContain('packages/files/src');
  });

  it('have folders that import each other in one direction: there is no circle', () => {
    expect(circles(folders)).toEqual([]);
  });

  it('have files that import each other in one direction: there is no circle', () => {
    expect(circles(files)).toEqual([]);
  });
});
