import { countedRows, recordedCounts } from './account-counts.queries.js';

describe('the SQL for what an account holds', () => {
  it('is derived from the kinds of items, from the records of its requests', () => {
    expect(recordedCounts('a.number')).toMatchInlineSnapshot(`
     "SELECT coalesce(sum(r.stored) FILTER (WHERE r.kind = 'notes'), 0) AS notes,
                      coalesce(sum(r.stored) FILTER (WHERE r.kind = 'transactions'), 0) AS transactions,
                      coalesce(sum(r.stored) FILTER (WHERE r.kind = 'statements'), 0) AS statements,
                      coalesce(sum(r.stored) FILTER (WHERE r.kind = 'payment_instruction'), 0) AS payment_instructions, coalesce(sum(r.amount), 0.00) AS amount,
                      coalesce(sum(r.pinned_notes), 0) AS pinned_notes, count(*) AS requests, max(r.stored_at) AS last_request_at
                 FROM (SELECT *
                         FROM {import_request}
                        WHERE import_supplier_id = :import_supplier_id AND external_account_number = a.number
                          AND undone_at IS NULL
                        ORDER BY id
                       OFFSET 0) AS r"
    `);
  });

  it('is derived from the kinds of items, from its rows', () => {
    expect(countedRows('a.number')).toMatchInlineSnapshot(`
     "SELECT (SELECT count(*) FROM {note item} WHERE item.import_supplier_id = :import_supplier_id AND item.external_account_number = a.number AND NOT (item.is_pinned AND item.created_at_sent AND item.unpin_at IS NULL
                  AND cardinality(item.document_paths) = 0
                  AND (SELECT 1
                         FROM {import_request request}
                        WHERE request.import_supplier_id = :import_supplier_id
                          AND request.external_account_number = item.external_account_number
                          AND request.id = item.import_request_id
                          AND request.kind = 'transactions'
                        LIMIT 1) IS NOT NULL)) AS notes,
                      (SELECT count(*) FROM {transaction item} WHERE item.import_supplier_id = :import_supplier_id AND item.external_account_number = a.number) AS transactions,
                      (SELECT count(*) FROM {statement item} WHERE item.import_supplier_id = :import_supplier_id AND item.external_account_number = a.number) AS statements,
                      (SELECT count(*) FROM {payment_instruction item} WHERE item.import_supplier_id = :import_supplier_id AND item.external_account_number = a.number) AS payment_instructions,
                      (SELECT coalesce(sum(item.amount), 0.00) FROM {transaction item} WHERE item.import_supplier_id = :import_supplier_id AND item.external_account_number = a.number) AS amount"
    `);
  });
});
