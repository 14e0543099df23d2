/** One named query for each request of the floor. */

/** The account access check. Parameters 1 to 3: hash of the token, supplier, account. No row: the token is unknown. */
const ACCOUNT_ACCESS = `
  access AS MATERIALIZED (
    SELECT a.id, s.is_ongoing, s.document_root, a.open_from,
           greatest(a.open_from, coalesce(a.open_to, current_date)) AS open_to
      FROM token t
      LEFT JOIN supplier s ON s.organisation_id = t.organisation_id AND s.code = $2
      LEFT JOIN account a ON a.supplier_id = s.id AND a.external_number = $3 AND a.service_number IS NOT NULL
     WHERE t.hash = $1
  )`;

export interface AccessRow {
  id: string | null;
  is_ongoing: boolean | null;
}

export const CREATE_TRANSACTIONS = {
  name: 'floor.create_transactions',
  text: `
  WITH ${ACCOUNT_ACCESS},
  added AS (
    INSERT INTO transaction
    SELECT access.id, sent.transaction_id, least(greatest(sent.transaction_date, access.open_from), access.open_to),
           sent.amount, sent.type, sent.reason, sent.reference, sent.payment_type, sent.display_note, sent.note,
           sent.product_code, sent.line_items, sent.tax_items
      FROM access,
           unnest($4::text[], $5::date[], $6::numeric[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
                  $12::text[], $13::text[], $14::jsonb[], $15::jsonb[])
             AS sent (transaction_id, transaction_date, amount, type, reason, reference, payment_type, display_note,
                      note, product_code, line_items, tax_items)
     WHERE access.id IS NOT NULL AND access.is_ongoing
        ON CONFLICT DO NOTHING
    RETURNING transaction_id, transaction_date
  )
  SELECT access.id, access.is_ongoing, stored.ids, stored.days
    FROM access, (SELECT array_agg(transaction_id) AS ids, array_agg(transaction_date::text) AS days FROM added) AS stored`,
};

export const CREATE_NOTES = {
  name: 'floor.create_notes',
  text: `
  WITH ${ACCOUNT_ACCESS},
  sent AS (
    SELECT n.*, sha256(convert_to(coalesce(nullif(n.body, ''), n.paths), 'UTF8')) AS body_hash
      FROM unnest($4::text[], $5::text[], $6::timestamptz[], $7::boolean[], $8::timestamptz[])
             WITH ORDINALITY AS n (body, paths, created_at, is_pinned, unpin_at, position)
  ),
  added AS (
    INSERT INTO note
    SELECT access.id, sent.body_hash, coalesce(sent.created_at, $9), sent.body,
           (SELECT array_agg(access.document_root || '/' || one) FROM unnest(string_to_array(sent.paths, E'\\n')) AS one),
           sent.is_pinned, sent.unpin_at
      FROM access, sent
     WHERE access.id IS NOT NULL AND access.is_ongoing
       AND (SELECT 1
              FROM note
             WHERE note.account_id = access.id
               AND note.body_hash = sent.body_hash
               AND (sent.created_at IS NULL OR note.created_at = sent.created_at)
             LIMIT 1) IS NULL
        ON CONFLICT DO NOTHING
    RETURNING body_hash, created_at
  )
  SELECT access.id, access.is_ongoing,
         (SELECT array_agg(sent.position::integer)
            FROM sent
            JOIN added ON added.body_hash = sent.body_hash AND added.created_at = coalesce(sent.created_at, $9)) AS stored
    FROM access`,
};

export const CREATE_STATEMENTS = {
  name: 'floor.create_statements',
  text: `
  WITH ${ACCOUNT_ACCESS},
  sent AS (
    SELECT * FROM unnest($4::text[], $5::date[], $6::date[], $7::date[], $8::text[], $9::numeric[], $10::text[])
             AS sent (statement_id, period_from, period_to, issued_date, number, gross_amount, path)
  ),
  differing AS MATERIALIZED (
    SELECT sent.statement_id
      FROM access, sent
      JOIN LATERAL (
        SELECT * FROM statement s WHERE s.account_id = access.id AND s.statement_id = sent.statement_id LIMIT 1
      ) AS known ON true
     WHERE (known.period_from, known.period_to, known.issued_date, known.number, known.gross_amount,
            known.document_location)
        IS DISTINCT FROM (sent.period_from, sent.period_to, sent.issued_date, sent.number, sent.gross_amount,
                          access.document_root || '/' || sent.path)
  ),
  added AS (
    INSERT INTO statement
    SELECT access.id, sent.statement_id, sent.period_from, sent.period_to, sent.issued_date, sent.number,
           sent.gross_amount, access.document_root || '/' || sent.path
      FROM access, sent
     WHERE access.id IS NOT NULL AND access.is_ongoing AND (SELECT 1 FROM differing LIMIT 1) IS NULL
        ON CONFLICT DO NOTHING
  )
  SELECT access.id, access.is_ongoing, (SELECT array_agg(statement_id) FROM differing) AS differing FROM access`,
};

export const STATUS = {
  name: 'floor.status',
  text: `
  SELECT a.id, a.service_number
    FROM token t
    LEFT JOIN supplier s ON s.organisation_id = t.organisation_id AND s.code = $2
    LEFT JOIN account a ON a.supplier_id = s.id AND a.external_number = $3
   WHERE t.hash = $1`,
};

function listQuery(filter: string, condition: string): { name: string; text: string } {
  return {
    name: `floor.list_${filter}`,
    // PostgreSQL writes the JSON text, which is sent unchanged.
    text: `
    SELECT s.id, (
      SELECT '[' || coalesce(string_agg(
               '{"external_account_number":' || to_json(a.external_number)::text ||
               ',"service_account_number":' || coalesce('"' || a.service_number || '"', 'null') ||
               ',"account_created_at":' ||
                 coalesce(to_char(a.created_at AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS"Z\\""'), 'null') || '}',
               ',' ORDER BY a.external_number), '') || ']'
        FROM account a
       WHERE a.supplier_id = s.id AND ${condition}) AS list
      FROM token t
      LEFT JOIN supplier s ON s.organisation_id = t.organisation_id AND s.code = $2
     WHERE t.hash = $1`,
  };
}

export const LISTS = {
  all: listQuery('all', 'true'),
  pending: listQuery('pending', 'a.service_number IS NULL'),
  imported: listQuery('imported', 'a.service_number IS NOT NULL'),
};
