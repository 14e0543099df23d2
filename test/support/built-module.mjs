// Jest transformer for the modules that tests share with the service, and for packages that load slowly.
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
// It requires @nestjs/core: Node.js refuses the require while a test that loads several modules at once is importing it.
import 'nest-commander';

/**
 * A file of src becomes a module that re-exports its build output, and a package becomes a module that re-exports the package.
 * Node.js itself loads both, outside the test context. A Jest process therefore loads the service once instead of once per test
 * file, and the tested service is the one that an operator starts.
 */
export default {
  processAsync: async (_source, path, { config: { rootDir } }) => {
    const url = pathToFileURL(builtFrom(path, rootDir)).href;
    const exported = Object.keys(await import(url));
    const names = exported.filter((name) => name !== 'default');
    return {
      code: [
        `import { importOutside } from ${JSON.stringify(`${rootDir}/test/support/outside.ts`)};`,
        `const built = await importOutside(${JSON.stringify(url)});`,
        `export const { ${names.join(', ')} } = built;`,
        exported.includes('default') ? 'export default built.default;' : '',
      ].join('\n'),
    };
  },
};

function builtFrom(path, rootDir) {
  if (path.includes('node_modules')) return path;
  return join(rootDir, 'dist', relative(rootDir, path).replace(/tsx?$/, 'js'));
}
