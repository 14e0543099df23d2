import { NotAllowed } from '../common/page-errors.js';
import { wishOf } from './completion-form.js';

describe('the forms that complete a supplier (C13)', () => {
  it.each([
    [{}, undefined],
    [{ anyway: 'yes', code: 'ACME', reason: 'agreed' }, 'agreed'],
    [{ anyway: 'yes', code: ' ACME ', reason: ' agreed\n' }, 'agreed'],
  ])('with %j ask to complete it, for the reason %j', (form, reason) => {
    expect(wishOf(form, 'ACME')).toEqual({ reason });
  });

  it.each([
    [{ anyway: 'yes', reason: 'agreed' }, 'Type the code ACME to complete it anyway.'],
    [{ anyway: 'yes', code: 'acme', reason: 'agreed' }, 'Type the code ACME to complete it anyway.'],
    [{ anyway: 'yes', code: 'ACME' }, 'Enter the reason why it is completed anyway.'],
    [{ anyway: 'yes', code: 'ACME', reason: ' ' }, 'Enter the reason why it is completed anyway.'],
    [{ anyway: 'yes', code: 'ACME', reason: 'a\0b' }, 'Enter the reason why it is completed anyway.'],
  ])('with %j are answered: %s', (form, problem) => {
    expect(wishOf(form, 'ACME')).toEqual({ problem });
  });

  it('ask for nothing that is known with another value', () => {
    expect(() => wishOf({ anyway: 'no' }, 'ACME')).toThrow(NotAllowed);
  });
});
