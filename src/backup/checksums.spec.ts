import { checksumLine, parseChecksumLine } from './checksums.js';

const sha256 = '0123456789abcdef'.repeat(4);

describe('a line of SHA256SUMS', () => {
  it.each([
    ['postgres/base.tar', `${sha256}  postgres/base.tar\n`],
    ['documents/two  spaces.pdf', `${sha256}  documents/two  spaces.pdf\n`],
    ['documents/a\\b', `\\${sha256}  documents/a\\\\b\n`],
    ['documents/a\nb\r', `\\${sha256}  documents/a\\nb\\r\n`],
    ['documents/\\n', `\\${sha256}  documents/\\\\n\n`],
  ])('names %j as sha256sum does, and is read back', (name, line) => {
    expect(checksumLine({ name, sha256 })).toBe(line);
    expect(parseChecksumLine(line.slice(0, -1))).toEqual({ name, sha256 });
  });

  it.each([
    ['no checksum', 'postgres/base.tar'],
    ['a checksum of another length', `${sha256.slice(1)}  postgres/base.tar`],
    ['an absolute name', `${sha256}  /etc/passwd`],
    ['a name that leads out of the folder', `${sha256}  documents/../../postgres`],
    ['the same with another separator', `\\${sha256}  documents\\\\..\\\\..\\\\postgres`],
  ])('is refused with %s', (_, line) => {
    expect(parseChecksumLine(line)).toBeUndefined();
  });
});
