import { readFileSync } from 'node:fs';
import { VERSION } from '../common/version.js';
import { misfitOf } from './supplier.js';

const versionIn = (path: string): string =>
  (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;

describe('the versions of loader and service', () => {
  it('are the versions of the packages, and the same (L15)', () => {
    expect(
      ['package.json', 'packages/loader/package.json', 'packages/client/package.json'].map(versionIn),
    ).toEqual([VERSION, VERSION, VERSION]);
  });

  it.each([
    ['1.4.0', '1.4.0'],
    ['1.4.7', '1.4.0'],
    ['1.4.0', '1.4.12-rc.1'],
    ['1.4.0', undefined],
    ['1.4.0', 'unknown'],
  ])('fit: %s and %s (L15)', (own, service) => {
    expect(misfitOf(own, service, 'https://import.example.com')).toBeUndefined();
  });

  it.each([
    ['1.4.0', '1.10.0', false],
    ['1.4.0', '1.3.9', false],
    ['0.1.0', '0.2.0', false],
    ['1.4.0', '2.4.0', true],
    ['10.4.0', '1.4.0', true],
  ])('do not fit: %s and %s, which ends the run: %s (L15)', (own, service, isFinal) => {
    const misfit = misfitOf(own, service, 'https://import.example.com/data/');
    expect(misfit?.isFinal).toBe(isFinal);
    expect(misfit?.sentence).toContain(`version ${own}, and the service has version ${service}.`);
    expect(misfit?.sentence).toContain('is at https://import.example.com/data/docs/loader/.');
  });
});
