import fc from 'fast-check';
import { LineSet } from './line-set.js';

it('lines of files are in the set exactly if they were added', () => {
  const place = fc.tuple(
    fc.nat(3),
    fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1e6 })),
  );
  fc.assert(
    fc.property(fc.array(place), fc.array(place), (added, others) => {
      const set = new LineSet();
      for (const [file, line] of added) set.add(file, line);
      const names = new Set(added.map(String));
      for (const one of [...added, ...others]) expect(set.has(...one)).toBe(names.has(String(one)));
    }),
  );
});
