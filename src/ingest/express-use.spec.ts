import { ExpressUse } from './express-use.js';

/** Queries in a row, each ordinary (o) or not (-): whether express stored it (e), was in vain (x), or was left out (c). */
function run(use: ExpressUse, queries: string, supplier = 1): string {
  const outcome = (one: string): string => {
    const isTried = use.isWorthwhile(supplier);
    use[isTried ? 'tried' : 'leftOut'](supplier, one === 'o');
    return isTried ? (one === 'o' ? 'e' : 'x') : 'c';
  };
  return Array.from(queries, outcome).join('');
}

it.each([
  ['ooo', 'eee'],
  ['-ooo', 'xcce'],
  ['---o-ooo', 'xcccccce'],
  ['-oo-ooooo-ooooo', 'xccxccccexcccce'],
])(
  'express is left out after a query in vain until so many in a row are ordinary: %s',
  (queries, outcomes) => {
    const use = new ExpressUse();
    expect(run(use, queries)).toBe(outcomes);
    expect(run(use, 'o', 2)).toBe('e');
  },
);
