import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import { listedActions, toSupplierEvent } from './supplier-events.js';

const AT = new Date('2026-11-02T12:00:00Z');

function entry(action: string, details: object): AuditEntry {
  return {
    id: '1',
    at: AT,
    operator: 'mia',
    action,
    subject: 'S',
    importSupplier: 'S',
    details,
  } as AuditEntry;
}

const CHANGE = entry('supplier.set', {
  from: { status: 'ongoing', customer_emails: false },
  to: { status: 'paused', customer_emails: true },
});

describe('the history of a supplier', () => {
  it('says to an operator who changed what', () => {
    expect(toSupplierEvent('operator', CHANGE)).toEqual({
      at: AT,
      title: 'Status: ongoing → paused, Customer e-mails: off → on',
      kind: 'other',
      by: 'mia',
    });
  });

  it('does not say to an admin which operator it was, nor which organisation else sees the supplier (C3)', () => {
    expect(toSupplierEvent('admin', CHANGE).by).toBe('the platform');
    const grant = entry('supplier.grant', { organisation: 'Other' });
    expect(toSupplierEvent('operator', grant).title).toBe('Granted to Other');
    expect(listedActions('admin')).not.toContain('supplier.grant');
    expect(listedActions('operator')).toContain('supplier.grant');
  });

  it('says whether an erasure began or ended', () => {
    const erasure = entry('supplier.erase', { run: '1', event: 'ended' });
    expect(toSupplierEvent('admin', erasure).title).toBe('Erasure of everything that was imported ended');
  });
});
