import { execFileSync } from 'node:child_process';
import { shellWord } from './shell-word.js';

describe('a word of a command that can be pasted into a shell', () => {
  it.each([
    ['ACME', 'ACME'],
    ['acme-2_a.b:c/d=e@f%g+h,i', 'acme-2_a.b:c/d=e@f%g+h,i'],
    ['Acme Energy', "'Acme Energy'"],
    ["O'Brien", "'O'\\''Brien'"],
    ['$(id)', "'$(id)'"],
    ['', "''"],
  ])('is %j, quoted if a shell needs it', (word, written) => {
    expect(shellWord(word)).toBe(written);
  });

  it('is read unchanged by a shell', () => {
    const words = [
      'a b',
      "it's",
      '`id`',
      '$HOME',
      'a\\b',
      'a"b',
      'a;b',
      'a|b>c',
      '*',
      '~',
      '#1',
      '!x',
      'Zürich',
    ];
    const command = `printf '%s\\n' ${words.map(shellWord).join(' ')}`;
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(`${words.join('\n')}\n`);
  });
});
