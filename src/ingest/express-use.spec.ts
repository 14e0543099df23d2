import { ExpressUse } from './express-use.js';

/** Run queries that are ordinary (o) or not (-). The result says for each: express stored it (e), failed (x) or was skipped (c). */
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
  'express is skipped after a failure until enough queries in a row are ordinary: %s',
  (queries, outcomes) => {
    const use = new ExpressUse();
    expect(run(use, queries)).toBe(outcomes);
    expect(run(use, 'o', 2)).toBe('e');
  },
);
