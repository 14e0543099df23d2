import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFile } from './project-file.js';

describe('a file of the project', () => {
  it('is found from whichever folder the process was started (section 6)', () => {
    const [before, elsewhere] = [process.cwd(), mkdtempSync(join(tmpdir(), 'data-import-elsewhere-'))];
    process.chdir(elsewhere);
    try {
      expect(JSON.parse(readFileSync(projectFile('package.json'), 'utf8'))).toMatchObject({
        name: 'data-import',
      });
    } finally {
      process.chdir(before);
      rmdirSync(elsewhere);
    }
  });
});
