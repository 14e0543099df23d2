import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtCheckout, readOptions } from './options.js';
import { SERVICE_PROGRAM } from './paths.js';

describe('the options of the benchmark', () => {
  let checkout: string;

  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'data-import-bench-options-'));
  });

  afterEach(() => {
    rmSync(checkout, { recursive: true });
  });

  it('measures more rounds where the scenarios of two builds are compared, unless a number is given', () => {
    expect(() => builtCheckout(checkout)).toThrow(SERVICE_PROGRAM);
    const program = join(checkout, SERVICE_PROGRAM);
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, '');
    const against = ['--against', checkout];
    expect(readOptions([]).rounds).toBe(3);
    expect(readOptions(against)).toMatchObject({ rounds: 12, against: checkout });
    expect(readOptions([...against, '--rounds', '2']).rounds).toBe(2);
    expect(readOptions([...against, '--burst'])).toMatchObject({ rounds: 3, burst: true });
  });

  it('measures a usual number of rows unless one is given', () => {
    expect(readOptions(['--growth']).growth).toEqual([1_000_000, 20_000_000]);
    expect(readOptions(['--growth', '5000,2000']).growth).toEqual([5_000, 2_000]);
  });
});
