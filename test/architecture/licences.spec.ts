import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../support/folders.js';

interface End {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (program: string, ...args: string[]): End =>
  spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Run scripts/licences.mjs on packages. @param sbom in CycloneDX format */
const judge = (sbom: string): End =>
  run(process.execPath, 'scripts/licences.mjs', join(folderWith({ 'sbom.json': sbom }), 'sbom.json'));

function judged(components: readonly object[]): Omit<End, 'stdout'> {
  const { status, stderr } = judge(JSON.stringify({ components }));
  return { status, stderr };
}

describe('the packages of production', () => {
  it('have licences that scripts/licences.mjs allows; those of the tests are left out', () => {
    const { status, stdout, stderr } = run(process.execPath, 'scripts/licences.mjs');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^MIT \(\d+\): .*fastify@5/m);
    // Packages that tools of the tests need too are packages of production.
    expect(stdout).toContain(' rxjs@7');
    expect(stdout).not.toContain(' jest@');
  });

  it('are bundled in the loader only with their licence text and an allowed licence (L15)', () => {
    const program = readFileSync('dist/docs/loader/data-import-loader.mjs', 'utf8');
    const named = [...program.matchAll(/^==== (\S+ \S+) \((.+)\)\n\n(?=\S)/gm)];
    const components = named.map(([, name, expression]) => ({
      purl: `pkg:npm/${name!.replace(' ', '@')}`,
      licenses: [{ expression }],
    }));
    expect(components.map(({ purl }) => purl.replace(/@[^@]*$/, ''))).toEqual(
      expect.arrayContaining(['pkg:npm/data-import-loader', 'pkg:npm/commander', 'pkg:npm/yauzl']),
    );
    expect(judged(components)).toEqual({ status: 0, stderr: '' });
  });

  it.each([
    ['GPL-3.0-only', [{ license: { id: 'GPL-3.0-only' } }], 1],
    ['none', [], 1],
    ['(MIT AND GPL-3.0-only)', [{ expression: '(MIT AND GPL-3.0-only)' }], 1],
    ['(GPL-3.0-only OR MIT)', [{ expression: '(GPL-3.0-only OR MIT)' }], 0],
  ])('are judged by their licence: %s', (licence, licenses, exitCode) => {
    const sentence = `some@1.0.0 has the licence ${licence}, which scripts/licences.mjs does not allow.\n`;
    expect(judged([{ purl: 'pkg:npm/some@1.0.0', licenses }])).toEqual({
      status: exitCode,
      stderr: exitCode === 0 ? '' : sentence,
    });
  });
});
