import { notReadable } from './file-source.js';

it.each([
  ['/root/a.csv', ' Copy it to where this user may read it, or give it on standard input ("-").'],
  ['a.xlsx', ' Copy it to where this user may read it.'],
  ['-', ''],
])('a file that this user may not read, %s, is not readable, with what to do (section 6)', (file, remedy) => {
  const { message } = notReadable(file, Object.assign(new Error('denied'), { code: 'EACCES' }));
  expect(message).toBe(`The file ${file} cannot be read: this user has no right to it.${remedy}`);
});
