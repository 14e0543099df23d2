import { matchRows, type Candidate, type CorrectedRow } from './matching.js';

const row = (raw: string, account?: string, key?: string): CorrectedRow => ({ raw, account, key });

const transactions = ['L-1', 'L-2', 'L-3', 'L-4'].map((id) => row(`{"id":"${id}","amount":"x"}`, '17', id));
const notes = ['meter wrong', 'called twice', 'moved out', 'new meter'].map((body) =>
  row(`{"body":"${body}"}`, '17', body),
);

describe('corrected rows', () => {
  it.each<[string, readonly CorrectedRow[], readonly Candidate[], readonly (number | undefined)[]]>([
    ['that were not changed are found', transactions, transactions, [0, 1, 2, 3]],
    ['of which some were removed are found', [transactions[1]!, transactions[3]!], transactions, [1, 3]],
    ['in another order are found', transactions.toReversed(), transactions, [3, 2, 1, 0]],
    [
      'are found by account and id',
      [row('{"id":"L-3","amount":1}', '17', 'L-3'), row('{"id":"L-1","amount":2}', '17', 'L-1')],
      transactions,
      [2, 0],
    ],
    [
      'whose id was corrected are found by their place',
      [
        transactions[0]!,
        row('{"id":"K-2"}', '17', 'K-2'),
        transactions[2]!,
        row('{"id":"K-4"}', '17', 'K-4'),
      ],
      transactions,
      [0, 1, 2, 3],
    ],
    [
      'that are notes are found by their place',
      [notes[0]!, row('{"body":"called 2 times"}', '17', 'called 2 times'), notes[2]!, notes[3]!],
      notes,
      [0, 1, 2, 3],
    ],
    [
      'that are notes, with others removed beside them, are found by their text',
      [
        row('{"body":"moved out today"}', '17', 'moved out today'),
        row('{"body":"new meter!"}', '17', 'new meter!'),
      ],
      notes,
      [2, 3],
    ],
    [
      'are none that have arrived, while another is left',
      [row('A,X-3,12.5', 'A', 'X-3')],
      [
        { ...row('A,#,12.5', 'A'), isThere: true },
        row('A,X-3,#', 'A'),
        { ...row('A,X-4,1', 'A'), isThere: true },
      ],
      [1],
    ],
    ['that repeat a text are found once each', [notes[0]!, notes[0]!], [notes[0]!, notes[0]!], [0, 1]],
    [
      'beside such that are there are taken for none of them by their place',
      [row('{"body":"moved out today"}', '17', 'moved out today')],
      notes.map((note, index) => ({ ...note, isThere: index !== 3 })),
      [3],
    ],
    [
      'that were added are none of them',
      [...transactions, row('{"id":"L-9"}', '17', 'L-9')],
      transactions,
      [0, 1, 2, 3, undefined],
    ],
  ])('%s', (_title, rows, candidates, expected) => {
    expect(matchRows(rows, candidates)).toEqual(expected);
  });
});
