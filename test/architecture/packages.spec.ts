import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { filesIn, filesOfPackages, importsOf, type SourceFile } from './sources.js';

const published = filesOfPackages().filter(
  ({ path }) => path.includes('/src/') && path.endsWith('.ts') && !path.endsWith('.spec.ts'),
);

/** The folder of the package that a file belongs to, such as `packages/client`. */
function packageOf({ path }: SourceFile): string {
  return path.split('/').slice(0, 2).join('/');
}

describe('packages and service', () => {
  it('the service imports nothing of the packages, but for the bundle that reads files of accounts', () => {
    const breaches = filesIn('src', 'bench')
      .filter(({ path }) => path.endsWith('.ts'))
      .flatMap((file) =>
        importsOf(file)
          .filter(
            ({ written, target }) =>
              /^(@data-import\/|data-import)/.test(written) ||
              target?.startsWith('packages/') === true ||
              (written === '#files' && !file.path.startsWith('src/accounts/')),
          )
          .map(({ written }) => `${file.path} imports ${written}`),
      );
    expect(breaches).toEqual([]);
  });

  it('a package publishes nothing from outside its own src, so that it works when it alone is installed (L15)', () => {
    const breaches = published.flatMap((file) =>
      importsOf(file)
        // Imports by the name of a package are bundled.
        .filter(({ target, written }) => target !== undefined && written.startsWith('.'))
        .filter(({ target = '' }) => !posix.normalize(target).startsWith(`${packageOf(file)}/src/`))
        .map(({ written }) => `${file.path} imports ${written}`),
    );
    expect(breaches).toEqual([]);
  });

  it.each(['packages/client', 'packages/files'])(
    '%s needs only Node.js and its declared dependencies',
    (path) => {
      const needed = published
        .filter((file) => packageOf(file) === path)
        .flatMap((file) => importsOf(file).map(({ written }) => written))
        .filter((written) => !written.startsWith('.') && !written.startsWith('node:'));
      const { dependencies } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as {
        dependencies: object;
      };
      expect([...new Set(needed)].sort()).toEqual(Object.keys(dependencies));
    },
  );
});
