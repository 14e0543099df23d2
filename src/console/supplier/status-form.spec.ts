import { NotAllowed } from '../common/page-errors.js';
import { statusOf } from './status-form.js';

describe('the form that sets the status of a supplier', () => {
  it.each([
    [{ status: 'paused' }, 'paused'],
    [{ status: 'ongoing' }, 'ongoing'],
  ])('with %j asks for %s', (form, status) => {
    expect(statusOf(form)).toBe(status);
  });

  it.each([
    [{}],
    [{ status: 'erased' }],
    [{ status: 'constructor' }],
    [{ status: 'complete' }],
    [{ status: 'complete', confirmed: 'yes' }],
  ])('with %j asks for nothing that is known', (form) => {
    expect(() => statusOf(form)).toThrow(NotAllowed);
  });
});
