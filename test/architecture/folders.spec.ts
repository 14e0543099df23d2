import { dirname } from 'node:path';
import { filesIn, importsOf } from './sources.js';

/** Pairs of folders that still import each other. */
const NOT_YET: readonly string[] = [
  'src/auth src/auth/graphql',
  'src/common/validation src/common/validation/rules',
  'src/http src/http/docs',
  'src/http src/http/plugins',
];

describe('folders of src', () => {
  it('import each other in one direction only', () => {
    const arrows = new Map<string, string>();
    for (const file of filesIn('src').filter(({ path }) => !path.endsWith('.spec.ts'))) {
      for (const { target } of importsOf(file)) {
        const [own, other] = [dirname(file.path), dirname(target ?? file.path)];
        if (other !== own) arrows.set(`${own} ${other}`, `${file.path} imports ${target}`);
      }
    }
    const pairs = [...arrows.keys()].filter((arrow) => {
      const [own = '', other = ''] = arrow.split(' ');
      return own < other && arrows.has(`${other} ${own}`);
    });
    const breaches = pairs.filter((arrow) => !NOT_YET.includes(arrow));
    expect(
      breaches.map((arrow) => [arrow, arrows.get(arrow), arrows.get(arrow.split(' ').reverse().join(' '))]),
    ).toEqual([]);
    expect(NOT_YET.filter((arrow) => !pairs.includes(arrow))).toEqual([]);
  });
});
