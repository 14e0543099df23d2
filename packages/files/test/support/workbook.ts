import { zipOf, type WrittenMember } from './zip.js';

/** A cell that a test writes: a text, a number, a boolean, none, or its XML behind the reference, such as ` t="e"><v>#N/A</v></c>`. */
export type WrittenCell = string | number | boolean | null | { readonly xml: string };

export interface WrittenSheet {
  readonly name: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** By the number of the row; an array is the rows from 1 on. */
  readonly rows: readonly (readonly WrittenCell[])[] | ReadonlyMap<number, readonly WrittenCell[]>;
}

export interface WorkbookOptions {
  /** Codes of number formats: a cell with ` s="1"` has the first one. */
  readonly formats?: readonly string[];
  /** Whether texts are in the cells instead of apart. */
  readonly isInline?: boolean;
  /** What is written into `workbookPr` and `calcPr`. */
  readonly workbookPr?: string;
  readonly calcPr?: string;
  /** Further parts, or others in place of those that are written. */
  readonly parts?: Readonly<Record<string, string | Buffer>>;
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** An Excel workbook, as small as Excel opens it. */
export function workbookOf(sheets: readonly WrittenSheet[], options: WorkbookOptions = {}): Buffer {
  const { formats = [], isInline = false, workbookPr = '', calcPr = '', parts = {} } = options;
  const strings = new Map<string, number>();
  const textCell = (text: string): string => {
    const t = `<t xml:space="preserve">${escaped(text)}</t>`;
    if (isInline) return ` t="inlineStr"><is>${t}</is></c>`;
    if (!strings.has(text)) strings.set(text, strings.size);
    return ` t="s"><v>${strings.get(text) ?? 0}</v></c>`;
  };
  const cellXml = (cell: Exclude<WrittenCell, null>): string => {
    if (typeof cell === 'string') return textCell(cell);
    if (typeof cell === 'boolean') return ` t="b"><v>${cell ? 1 : 0}</v></c>`;
    return typeof cell === 'number' ? `><v>${cell}</v></c>` : cell.xml;
  };
  const sheetXml = ({ rows }: WrittenSheet): string => {
    const numbered =
      rows instanceof Map ? [...rows] : (rows as WrittenCell[][]).map((row, at) => [at + 1, row] as const);
    const xml = (numbered as [number, WrittenCell[]][]).map(([number, cells]) => {
      const written = cells.flatMap((cell, at) =>
        cell === null ? [] : [`<c r="${columnName(at)}${number}"${cellXml(cell)}`],
      );
      return `<row r="${number}">${written.join('')}</row>`;
    });
    return `<worksheet xmlns="${MAIN}"><dimension ref="A1"/><sheetData>${xml.join('\n')}</sheetData><pageMargins left="0.7"/></worksheet>`;
  };
  const all: Record<string, string> = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
    '_rels/.rels': relations([['R1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr ${workbookPr}/><sheets>${sheets
      .map(
        ({ name, state }, at) =>
          `<sheet name="${escaped(name)}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="S${at + 1}"/>`,
      )
      .join('')}</sheets><calcPr ${calcPr}/></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...sheets.map((_sheet, at) => [`S${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['T1', 'sharedStrings', '/xl/sharedStrings.xml'],
      ['T2', 'styles', 'styles.xml'],
    ]),
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_code, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`)
      .join('')}</cellXfs></styleSheet>`,
  };
  for (const [at, sheet] of sheets.entries()) all[`xl/worksheets/sheet${at + 1}.xml`] = sheetXml(sheet);
  all['xl/sharedStrings.xml'] = `<sst xmlns="${MAIN}">${[...strings.keys()]
    .map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`)
    .join('')}</sst>`;
  const members = Object.entries({ ...all, ...parts }).map(([name, content]): WrittenMember => ({
    name,
    content:
      typeof content !== 'string' || content.startsWith('<?')
        ? content
        : `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${content}`,
  }));
  return zipOf(members);
}

/** A cell that is a formula with its last value; without one it has none. */
export function formula(text: string, value?: string | number): WrittenCell {
  const v = value === undefined ? '<v></v>' : `<v>${value}</v>`;
  return { xml: `${typeof value === 'string' ? ' t="str"' : ''}><f>${escaped(text)}</f>${v}</c>` };
}

/** A number with a format of {@link WorkbookOptions.formats}, from 1 on. */
export function formatted(value: number | string, format: number): WrittenCell {
  return { xml: ` s="${format}"><v>${value}</v></c>` };
}

export function errorCell(error: string): WrittenCell {
  return { xml: ` t="e"><v>${error}</v></c>` };
}

function relations(list: readonly (readonly [id: string, type: string, target: string])[]): string {
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;
}

/** Characters that XML cannot have, and what would be read as one of them, are written as Excel does. */
function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(
      /[\0-\x08\x0B-\x1F\uD800-\uDFFF\uFFFE\uFFFF]/gu,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function columnName(at: number): string {
  return (at < 26 ? '' : columnName(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));
}
