import { readdirSync } from 'node:fs';

/** The files below a folder, as relative paths. */
function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1))
    .sort();
}

describe('the build', () => {
  it('has every module and asset of the sources, and nothing else: no tests, and no leftovers', () => {
    const expected = below('src')
      .filter((path) => !/\.(spec|d)\.tsx?$/.test(path))
      .map((path) => path.replace(/\.tsx?$/, '.js'));
    expect(expected.filter((path) => path.endsWith('.css'))).not.toEqual([]);
    expect(below('dist/src')).toEqual(expected.sort());
  });
});
