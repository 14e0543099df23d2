import { dirname } from 'node:path';
import { filesIn, importsOf } from './sources.js';

/** The list of entities knows every module, but no folder depends on it. */
const LIST_OF_ENTITIES = 'src/apps/data-source.ts';

describe('folders of src', () => {
  it('import each other in one direction only', () => {
    const arrows = new Map<string, string>();
    for (const file of filesIn('src').filter(
      ({ path }) => !path.endsWith('.spec.ts') && path !== LIST_OF_ENTITIES,
    )) {
      for (const { target } of importsOf(file)) {
        const [own, other] = [dirname(file.path), dirname(target ?? file.path)];
        if (other !== own) arrows.set(`${own} ${other}`, `${file.path} imports ${target}`);
      }
    }
    const breaches = [...arrows].flatMap(([arrow, example]) => {
      const [own = '', other = ''] = arrow.split(' ');
      const back = arrows.get(`${other} ${own}`);
      return own < other && back !== undefined ? [`${example}, and ${back}`] : [];
    });
    expect(breaches).toEqual([]);
  });
});
