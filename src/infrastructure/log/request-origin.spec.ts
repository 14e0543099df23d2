import { traceIdIn } from './request-origin.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('the trace id of a traceparent header', () => {
  it.each([
    ['version 00', `00-${TRACE}-${PARENT}-01`],
    ['flags that are not known', `00-${TRACE}-${PARENT}-fe`],
    ['a higher version with the same fields', `01-${TRACE}-${PARENT}-01`],
    ['a higher version with further fields', `cc-${TRACE}-${PARENT}-01-what-the-future-will-be-like`],
    ['a higher version with an empty further field', `cc-${TRACE}-${PARENT}-01-`],
  ])('is read from %s', (_what, header) => {
    expect(traceIdIn(header)).toBe(TRACE);
  });

  it.each<[string, string | string[] | undefined]>([
    ['no header', undefined],
    ['an empty header', ''],
    ['two headers', [`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01`]],
    ['two headers that Node.js has joined', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['upper case', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['upper case in the parent', `00-${TRACE}-${PARENT.toUpperCase()}-01`],
    ['upper case in the flags', `00-${TRACE}-${PARENT}-0A`],
    ['a trace id that is too short', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['a trace id that is too long', `00-${TRACE}0-${PARENT}-01`],
    ['a parent that is too short', `00-${TRACE}-${PARENT.slice(1)}-01`],
    ['no flags', `00-${TRACE}-${PARENT}`],
    ['version 00 with further fields', `00-${TRACE}-${PARENT}-01-more`],
    ['a higher version with flags that are too long', `01-${TRACE}-${PARENT}-011`],
    ['no hexadecimal digits', `00-${TRACE.replace('4', 'g')}-${PARENT}-01`],
    ['blanks before it', ` 00-${TRACE}-${PARENT}-01`],
  ])('is ignored in %s', (_what, header) => {
    expect(traceIdIn(header)).toBeUndefined();
  });
});
