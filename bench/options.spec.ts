import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SERVICE_PROGRAM } from './contenders.js';
import { builtCheckout, readOptions } from './options.js';

describe('the options of the benchmark', () => {
  let checkout: string;

  beforeEach(() => {
    checkout = mkdtempSync(join(tmpdir(), 'data-import-bench-options-'));
  });

  afterEach(() => {
    rmSync(checkout, { recursive: true });
  });

  function addBuild(): void {
    const program = join(checkout, SERVICE_PROGRAM);
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, '');
  }

  it('measures 3 rounds, and 12 when two builds are compared, unless a number is given', () => {
    addBuild();
    expect(readOptions([]).rounds).toBe(3);
    expect(readOptions(['--against', checkout])).toMatchObject({ rounds: 12, against: checkout });
    expect(readOptions(['--against', checkout, '--rounds', '2']).rounds).toBe(2);
  });

  it('measures the databases at several addresses', () => {
    expect(readOptions([]).nodes).toBeUndefined();
    expect(readOptions(['--nodes', 'postgres://a/x,postgres://b/y']).nodes).toEqual([
      'postgres://a/x',
      'postgres://b/y',
    ]);
  });

  it('compares with a checkout only when it is built', () => {
    expect(() => builtCheckout(checkout)).toThrow(SERVICE_PROGRAM);
    addBuild();
    expect(builtCheckout(checkout)).toBe(checkout);
  });
});
