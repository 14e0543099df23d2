import type { OpenAPIObject } from '@nestjs/swagger';
import type { ChangeType } from '../../infrastructure/change-log/change-types.js';
import type { FieldType, ItemKind } from '../../ingest/kinds/item-kind.js';
import { ITEMS } from '../../ingest/kinds/items.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;
interface Reference {
  readonly $ref: string;
}

const reference = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });

const TEXT: Schema = { type: 'string' };

const TYPES: Readonly<Record<FieldType, Schema>> = {
  text: { type: 'string' },
  date: { type: 'string', format: 'date' },
  numeric: { type: 'string', description: 'A decimal.' },
  boolean: { type: 'boolean' },
  timestamptz: { type: 'string', format: 'date-time' },
  json: {
    type: 'array',
    items: { type: 'object', additionalProperties: { anyOf: [TEXT, { type: 'array', items: TEXT }] } },
  },
  paths: { type: 'array', items: reference('NamedDocument') },
};

/** Names of the schemas of the items. */
const ITEM_SCHEMAS = {
  notes: 'Note',
  transactions: 'Transaction',
  statements: 'Statement',
  payment_instructions: 'PaymentInstruction',
};

const SEQUENCE: Schema = {
  type: 'string',
  pattern: '^[0-9]{19}$',
  description: 'The number of the change: 1, 2, 3 … for each supplier.',
};
const NULLABLE_TEXT: Schema = { type: 'string', nullable: true };
const STATUS: Schema = { type: 'string', enum: ['ongoing', 'paused', 'complete'] };
const UUID: Schema = { type: 'string', format: 'uuid' };

function objectOf(
  properties: Record<string, Schema | Reference>,
  optional: readonly string[] = [],
  description?: string,
): Schema {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties,
  };
}

/** An item as it is stored; fields that are not stored are null. */
function itemSchema({ fields, alteredFields, feedFields }: ItemKind): Schema {
  const properties: Record<string, Schema> = {};
  for (const [name, { type }] of Object.entries(fields))
    properties[name] = { ...TYPES[type], nullable: true };
  for (const [name, type] of Object.entries(feedFields))
    properties[name] = { ...TYPES[type], nullable: true };
  if (alteredFields.length === 0) return objectOf(properties);
  const sent = Object.fromEntries(alteredFields.map((name) => [name, NULLABLE_TEXT]));
  return objectOf(
    {
      ...properties,
      sent: objectOf(sent, [], 'Of fields of which something else is stored than was sent: what was sent.'),
    },
    ['sent'],
  );
}

const NUMBERS = {
  external_account_number: { type: 'string' },
  service_account_number: { type: 'string' },
} as const;
const PERIOD = { open_statement_from: TYPES.date, open_statement_to: { ...TYPES.date, nullable: true } };
const REQUEST = { import_request_id: UUID, request_id: NULLABLE_TEXT };

/** The schema of `data` by the type of the change. Members that may be missing are marked as optional. */
const DATA: Readonly<Record<ChangeType, Schema>> = {
  'supplier.status_changed': objectOf({ status: STATUS }),
  'account.imported': objectOf(
    {
      ...NUMBERS,
      ...PERIOD,
      account: {
        type: 'object',
        additionalProperties: true,
        description: 'As it was staged, while it is kept.',
      },
    },
    ['account'],
  ),
  'account.period_changed': objectOf({ ...NUMBERS, ...PERIOD }),
  'notes.added': added('notes'),
  'transactions.added': added('transactions'),
  'statements.added': added('statements'),
  'payment_instruction.added': added('payment_instructions'),
  'import.undone': objectOf({ ...NUMBERS, ...REQUEST }),
  'account.erased': objectOf({ external_account_number: { type: 'string' } }),
};

function added(name: keyof typeof ITEM_SCHEMAS): Schema {
  const items: Schema = { type: 'array', items: reference(ITEM_SCHEMAS[name]) };
  if (name !== 'transactions') return objectOf({ ...NUMBERS, ...REQUEST, items });
  const pinned = { pinned_note: { ...reference('Note') } };
  return objectOf({ ...NUMBERS, ...REQUEST, items, ...pinned }, ['pinned_note']);
}

/** `notes.added` is the schema `NotesAdded`. */
const schemaName = (type: string): string =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function eventSchema(type: ChangeType): Schema {
  const isOfAccount = type !== 'supplier.status_changed';
  return objectOf({
    specversion: { type: 'string', enum: ['1.0'] },
    id: { type: 'string' },
    source: { type: 'string', description: 'The address of the feed, with its epoch.' },
    type: { type: 'string', enum: [type] },
    ...(isOfAccount && { subject: { type: 'string', description: 'External number of the account.' } }),
    time: { type: 'string', format: 'date-time' },
    sequence: SEQUENCE,
    datacontenttype: { type: 'string', enum: ['application/json'] },
    data: DATA[type],
  });
}

/** The schemas of a page and its changes in the OpenAPI description (choice E2). */
export function feedSchemas(): Schemas {
  const types = Object.keys(DATA) as ChangeType[];
  return {
    SupplierList: objectOf({ suppliers: { type: 'array', items: reference('Supplier') } }),
    Supplier: objectOf({
      code: { type: 'string' },
      name: { type: 'string' },
      status: STATUS,
      sequence: { type: 'integer', description: 'The number of the newest change.' },
    }),
    ChangesPage: objectOf({
      changes: { type: 'array', items: reference('Change') },
      cursor: { type: 'string', description: 'For the next request: everything of this answer is done.' },
      more: { type: 'boolean', description: 'Whether there were further changes when the answer was made.' },
    }),
    FeedRestarted: {
      allOf: [{ $ref: '#/components/schemas/ErrorResponse' }, objectOf({ cursor: { type: 'string' } })],
      description: '`cursor` is that from which to go on.',
    },
    Change: {
      description: 'An event of CloudEvents 1.0, or what is left of one that was undone or erased.',
      anyOf: [...types.map((type) => reference(schemaName(type))), reference('RemovedChange')],
    },
    ...Object.fromEntries(types.map((type) => [schemaName(type), eventSchema(type)])),
    RemovedChange: objectOf({
      sequence: SEQUENCE,
      type: { type: 'string', enum: types },
      data: objectOf({ removed: { type: 'boolean', enum: [true] }, removed_by: SEQUENCE }, ['removed_by']),
    }),
    NamedDocument: objectOf({
      document_path: { type: 'string' },
      location: { type: 'string', description: 'Where the service expects it.' },
      found: { type: 'boolean', nullable: true, description: 'By the last look-up; null before the first.' },
    }),
    ...Object.fromEntries(
      Object.entries(ITEM_SCHEMAS).map(([name, schema]) => [
        schema,
        itemSchema(ITEMS[name as keyof typeof ITEMS]),
      ]),
    ),
  };
}
