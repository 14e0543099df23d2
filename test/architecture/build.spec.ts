import { readdirSync, readFileSync } from 'node:fs';

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

  it('has the package that reads files where package.json says that #files is', () => {
    const { imports } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: object };
    expect(imports).toEqual({ '#files': './dist/files.mjs' });
    expect(readFileSync('dist/files.mjs', 'utf8')).toMatch(/^ {2}FileRecords,$/m);
  });
});
