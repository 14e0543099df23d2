import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { MIGRATIONS } from '../../src/infrastructure/database/migrations/index.js';
import { filesIn } from './sources.js';

describe('the database', () => {
  it('gets every migration, oldest first', () => {
    const files = filesIn('src/infrastructure/database/migrations')
      .map(({ path }) => /^(\d+)-/.exec(basename(path))?.[1])
      .filter((timestamp) => timestamp !== undefined);
    const listed = MIGRATIONS.map(({ name }) => /\d+$/.exec(name)?.[0]);
    expect(listed).toEqual(files);
  });
});

describe('the lock file', () => {
  it('has an entry for every optional package, because npm ci requires it', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const isFound = (from: string, name: string): boolean =>
      `${from}/node_modules/${name}`.replace(/^\//, '') in packages ||
      (from !== '' && isFound(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name));
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isFound(path, name)),
    );
    expect(missing).toEqual([]);
  });
});
