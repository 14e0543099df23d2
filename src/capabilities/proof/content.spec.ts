import { contentRows } from './content.js';

describe('the SQL for the content of rows', () => {
  it('is derived from the kinds of items', () => {
    expect(contentRows('true')).toMatchInlineSnapshot(`
     "
             SELECT 'notes' AS section, row_to_json(r) AS content
               FROM (SELECT nullif(item.body, '') AS body,
                            nullif(item.document_paths, '{}') AS document_paths,
                            extract(epoch FROM CASE WHEN item.created_at_sent THEN item.created_at END)::bigint AS created_at,
                            nullif(item.is_pinned, false) AS is_pinned,
                            extract(epoch FROM item.unpin_at)::bigint AS unpin_at
                       FROM {note item}
                      WHERE true
                        AND NOT (item.is_pinned AND item.created_at_sent AND item.unpin_at IS NULL
                  AND cardinality(item.document_paths) = 0
                  AND (SELECT 1
                         FROM {import_request request}
                        WHERE request.import_supplier_id = :import_supplier_id
                          AND request.external_account_number = item.external_account_number
                          AND request.id = item.import_request_id
                          AND request.kind = 'transactions'
                        LIMIT 1) IS NOT NULL)) AS r
             UNION ALL
             SELECT 'transactions' AS section, row_to_json(r) AS content
               FROM (SELECT item.transaction_id AS transaction_id,
                            coalesce(item.sent_date, item.transaction_date) AS transaction_date,
                            item.amount AS amount,
                            item.type AS type,
                            item.reason AS reason,
                            item.reference AS reference,
                            item.payment_type AS payment_type,
                            item.display_note AS display_note,
                            CASE WHEN item.sent_date IS NULL THEN item.note ELSE item.sent_note END AS note,
                            item.product_code AS product_code,
                            item.line_items AS line_items,
                            item.tax_items AS tax_items
                       FROM {transaction item}
                      WHERE true) AS r
             UNION ALL
             SELECT 'historical_statements' AS section, row_to_json(r) AS content
               FROM (SELECT item.statement_id AS statement_id,
                            item.bill_period_from_date AS bill_period_from_date,
                            item.bill_period_to_date AS bill_period_to_date,
                            item.issued_date AS issued_date,
                            item.number AS number,
                            item.gross_amount AS gross_amount,
                            item.statement_path AS statement_path
                       FROM {statement item}
                      WHERE true) AS r
             UNION ALL
             SELECT 'payment_instructions' AS section, row_to_json(r) AS content
               FROM (SELECT item.vendor AS vendor,
                            item.reference AS reference,
                            item.type AS type
                       FROM {payment_instruction item}
                      WHERE true) AS r"
    `);
  });
});
