import {
  ACCOUNTS,
  AMBIGUOUS,
  ENCODINGS,
  EPOCHS,
  MINUS_MEANINGS,
  NEGATIVE,
  RECORDS,
  type FieldType,
} from '@data-import/files';
import { fieldNames, type FieldOwner, fieldType, isKind, listsOf } from '../kinds/fields.js';
import { KINDS } from '../kinds/kinds.js';

/** The kinds that an entry can have. */
const MAPPED: readonly FieldOwner[] = [...KINDS, ACCOUNTS.name];

type Schema = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
/** One text, or a list of texts. */
const TEXT_OR_TEXTS = { anyOf: [TEXT, TEXTS] };
const SCALAR = { type: ['string', 'number', 'boolean'] };
const SIGN = { enum: [1, -1] };

/** The schema of an object with these members and no others. */
function closed(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

function said(description: string, schema: Schema): Schema {
  return { description, ...schema };
}

const ASCII_SIGN = { type: 'string', pattern: '^[\\t -/:-@\\[-`{-~]$' };

const POSITION = { type: 'integer', minimum: 1 };
const POSITIONS = {
  ...mapOf({ type: 'array', items: POSITION, minItems: 2, maxItems: 2 }),
  minProperties: 1,
};
/** One column, with the texts of the selected rows. */
const ROWS = { ...mapOf(TEXT_OR_TEXTS), minProperties: 1, maxProperties: 1 };

const FORM = closed({
  delimiter: said('The character between cells; by default a comma, in .tsv a tab.', ASCII_SIGN),
  quote: said('The character around cells; "" where no cell is quoted.', {
    anyOf: [ASCII_SIGN, { const: '' }],
  }),
  trim: said('Whether cells are padded with spaces, which are removed.', { type: 'boolean' }),
  encoding: said('By default UTF-8, or UTF-16 with a byte order mark.', { enum: ENCODINGS }),
  skip_lines: said('Lines before the header; in a workbook, rows.', {
    type: 'integer',
    minimum: 0,
    maximum: 10_000,
  }),
  leave_out: said('By column the texts with which a line is no row; * is any text.', mapOf(TEXT_OR_TEXTS)),
  null: said('Texts that mean nothing, such as NULL.', TEXT_OR_TEXTS),
  sheet: said('Sheet of a workbook; by default the only visible one that is not empty.', TEXT),
  header: said('Names of the columns of a file that has no header.', { ...TEXTS, minItems: 1 }),
  repeated_header: said('What becomes of lines that repeat the header.', { enum: ['leave_out'] }),
  records: said('Path of the records in a JSON document, such as customers[].bills[].', {
    type: 'string',
    pattern: RECORDS.source,
  }),
  positions: said('By column of a file of fixed width its first and last character, from 1 on.', POSITIONS),
  carry: said(
    'Lines whose cells belong to all rows below them.',
    closed({ rows: ROWS, positions: POSITIONS }, ['rows', 'positions']),
  ),
});

const AMOUNT = closed({
  decimal: { enum: ['.', ','] },
  thousands: { enum: ['.', ',', ' ', "'"] },
  negative: { type: 'array', items: { enum: NEGATIVE } },
  words: said('By the word before or after the amount, its sign.', mapOf(SIGN)),
  currency: said('Signs and codes that may be next to the amount; by default any one sign.', TEXT_OR_TEXTS),
});

const LANGUAGE = said('Of the names of months, such as de.', TEXT);
const FIRST_YEAR = said('Of the hundred years of which YY is one.', {
  type: 'integer',
  minimum: 1,
  maximum: 9_900,
});
const DATES = said('Patterns such as DD/MM/YYYY, or excel.', {
  anyOf: [TEXT, { ...TEXTS, minItems: 1 }],
});
const TIMEZONE = said('A zone of the IANA database, such as Europe/London.', TEXT);
const AMBIGUOUS_TIMES = said('Which of two instants is meant.', { enum: AMBIGUOUS });

const MOMENT = closed({
  forms: DATES,
  timezone: TIMEZONE,
  ambiguous: AMBIGUOUS_TIMES,
  language: LANGUAGE,
  first_year: FIRST_YEAR,
});

const CASE = closed(
  {
    case: {
      type: 'array',
      minItems: 1,
      items: closed({ when: { ...mapOf(TEXT_OR_TEXTS), minProperties: 1 }, then: SCALAR }, ['when', 'then']),
    },
    else: SCALAR,
  },
  ['case'],
);

const SCALE = said('Decimal places of amounts in minor units.', { type: 'integer', minimum: 1, maximum: 9 });
const EPOCH = said('Seconds or milliseconds since 1970.', { enum: EPOCHS });

/** For each field type, the members that are allowed next to `column` or `join`. */
const BESIDE: Readonly<Record<FieldType, Readonly<Record<string, Schema>>>> = {
  text: {},
  boolean: {},
  list: {},
  paths: {},
  number: { amount: AMOUNT, scale: SCALE },
  date: { dates: DATES, language: LANGUAGE, first_year: FIRST_YEAR, epoch: EPOCH, timezone: TIMEZONE },
  'date-time': { moment: MOMENT, epoch: EPOCH },
};

const SIGN_COLUMN = closed({ column: TEXT, words: mapOf(SIGN) }, ['column', 'words']);
const DEBIT_AND_CREDIT = closed(
  {
    debit: TEXT,
    credit: TEXT,
    minus: said('Whether a minus repeats the column or turns it round.', { enum: MINUS_MEANINGS }),
    amount: AMOUNT,
    scale: SCALE,
  },
  ['debit', 'credit'],
);

/** The schema of a field's source, by the type of the field. */
function sourceSchema(type: FieldType): Schema {
  const beside = { values: mapOf(SCALAR), ...BESIDE[type] };
  const isNumber = type === 'number';
  const join = { ...TEXTS, minItems: 2 };
  return {
    anyOf: [
      said('The name of its column.', TEXT),
      closed({ column: TEXT, ...beside, ...(isNumber && { sign: SIGN_COLUMN }) }, ['column']),
      closed({ join, with: TEXT, ...beside }, ['join', 'with']),
      ...(isNumber ? [DEBIT_AND_CREDIT] : []),
      CASE,
      closed({ constant: SCALAR }, ['constant']),
    ],
  };
}

function byField(owner: FieldOwner, schemaOf: (field: string) => Schema): Schema {
  return closed(Object.fromEntries(fieldNames(owner).map((field) => [field, schemaOf(field)])));
}

/** The schema of the fields of rows, or of the items in one of their lists. The list itself can be in other files. */
function fieldsSchema(owner: FieldOwner): Schema {
  const lists: readonly string[] = isKind(owner) ? listsOf(owner) : [];
  return byField(owner, (field) => {
    const source = { $ref: `#/definitions/${fieldType(owner, field) ?? 'text'}` };
    return lists.includes(field)
      ? { anyOf: [source, listSchema(`${owner}.${field}` as FieldOwner)] }
      : source;
  });
}

/** The schema of a list whose items are in other files. */
function listSchema(owner: FieldOwner): Schema {
  return closed(
    {
      from: said('Patterns of the names of the files with its items.', TEXT_OR_TEXTS),
      key: said('By column of such a file the column of the rows that has the same text.', {
        ...mapOf(TEXT),
        minProperties: 1,
      }),
      form: FORM,
      fields: fieldsSchema(owner),
      ...common(owner),
    },
    ['from', 'key'],
  );
}

/** The schema of the members that rows and items have in common. */
function common(kind: FieldOwner): Record<'constants' | 'values' | 'ignore', Schema> {
  return {
    constants: said(
      'The value of rows that have none.',
      byField(kind, () => SCALAR),
    ),
    values: said(
      'By the text of the file, what is sent instead.',
      byField(kind, () => mapOf(SCALAR)),
    ),
    ignore: said('Columns that are ignored.', TEXTS),
  };
}

function kindSchema(kind: FieldOwner): Schema {
  return closed({
    columns: byField(kind, () => TEXT),
    ...common(kind),
    dates: TEXT,
    timezone: TIMEZONE,
    ambiguous: AMBIGUOUS_TIMES,
    decimals: { enum: ['.', ','] },
  });
}

/**
 * The JSON Schema of a mapping file, for editors. It does not contain rules that only the parser can check, such as
 * whether a pattern names a day.
 *
 * Source: choice L11.
 */
export function mappingSchema(): Schema {
  const entry = {
    match: said('Patterns of names; * is any text, ? one character.', TEXT_OR_TEXTS),
    kind: { enum: MAPPED },
    optional: said('Whether there may be no file for it.', { type: 'boolean' }),
    rows: said(
      'By one column the texts of the rows that are meant, of a file that several entries share.',
      ROWS,
    ),
    form: FORM,
    fields: true,
    constants: true,
    values: true,
    ignore: TEXTS,
  };
  const ofKind = (kind: FieldOwner): Schema => ({
    if: { properties: { kind: { const: kind } }, required: ['kind'] },
    then: {
      properties: {
        ...common(kind),
        fields: fieldsSchema(kind),
      },
    },
  });
  const types = Object.keys(BESIDE) as FieldType[];
  const alone = { not: { anyOf: MAPPED.map((kind) => ({ required: [kind] })) } };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Mapping of data-import-loader',
    type: 'object',
    properties: {
      $schema: TEXT,
      files: {
        type: 'array',
        items: {
          type: 'object',
          properties: entry,
          required: ['match', 'kind'],
          additionalProperties: false,
          allOf: MAPPED.map(ofKind),
        },
      },
      ignore_files: TEXT_OR_TEXTS,
      ...Object.fromEntries(MAPPED.map((kind) => [kind, kindSchema(kind)])),
    },
    additionalProperties: false,
    dependencies: { files: alone, ignore_files: alone },
    definitions: Object.fromEntries(types.map((type) => [type, sourceSchema(type)])),
  };
}
