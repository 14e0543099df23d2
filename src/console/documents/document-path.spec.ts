import { PageNotFound } from '../common/page-errors.js';
import { documentPathOf } from './document-path.js';

const BEFORE = '/console/suppliers/A%2FB/accounts/1%2F2/documents';

describe('the path of a document in an address', () => {
  it.each([
    ['a.pdf', 'a.pdf'],
    ['2024/a.pdf', '2024/a.pdf'],
    ['2024/a.pdf?page=1/2', '2024/a.pdf'],
    ['Z%C3%A4hler%20%E2%84%967/a%25b%3Fc%23d+e.pdf', 'Zähler №7/a%b?c#d+e.pdf'],
    ['a%252Fb', 'a%2Fb'],
    ['../a.pdf', '../a.pdf'],
  ])('reads %s (C6)', (written, path) => {
    expect(documentPathOf(`${BEFORE}/${written}`)).toBe(path);
  });

  it.each(['', 'a//b', 'a/', '/a', 'a%2Fb', '..%2f..%2fetc/passwd', 'a%00', '%ff', '%'])(
    'finds none in %j (C6, F2)',
    (written) => {
      expect(() => documentPathOf(`${BEFORE}/${written}`)).toThrow(PageNotFound);
    },
  );
});
