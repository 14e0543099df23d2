/** Receives the elements and texts of a document. */
export interface XmlVisitor {
  /** @param tag the text between the brackets, for {@link attributeOf} */
  open?(name: string, tag: string): void;
  /** Called with the text between two tags, including tags without a handler. */
  text?(text: string): void;
  close?(name: string): void;
}

/** The maximum length of a text or a tag. */
const PART_MAX = 16_777_216;

/**
 * Characters that XML never allows, not even as an entity. Lone surrogates are missing here, because UTF-8 cannot
 * contain them.
 */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Reads the XML of workbooks piece by piece: elements, attributes and text, without namespaces. It does not validate:
 * for example, it does not notice elements that are closed in the wrong order. It refuses document types, because the
 * entities that they declare could produce texts of unlimited size.
 *
 * This is not a library, because reading a sheet takes most of the time of loading a workbook, and a general parser
 * takes several times as long.
 */
export class XmlScanner {
  private rest = '';

  constructor(private readonly visitor: XmlVisitor) {}

  /** @throws Error whose message is a sentence without its subject */
  push(chunk: string): void {
    if (FORBIDDEN.test(chunk)) throw new Error('has a character that XML forbids');
    const all = this.rest + chunk;
    let at = 0;
    for (;;) {
      const open = all.indexOf('<', at);
      if (open === -1) break;
      const end = endOfTag(all, open);
      if (end === -1) break;
      if (open > at) this.visitor.text?.(decoded(withLineFeeds(all.slice(at, open))));
      this.tag(all, open, end);
      at = end;
    }
    this.rest = all.slice(at);
    if (this.rest.length > PART_MAX) throw new Error('has a text of more than 16 MiB');
  }

  /** @throws Error whose message is a sentence without its subject */
  end(): void {
    if (this.rest.trim() !== '') throw new Error('ends within a tag');
  }

  private tag(all: string, open: number, end: number): void {
    const sign = all.charCodeAt(open + 1);
    const { visitor } = this;
    if (sign === 0x21) {
      if (all.startsWith('<![CDATA[', open)) visitor.text?.(withLineFeeds(all.slice(open + 9, end - 3)));
      else if (!all.startsWith('<!--', open))
        throw new Error('has a document type, which workbooks have not');
    } else if (sign === 0x2f) {
      visitor.close?.(nameIn(all, open + 2, end - 1));
    } else if (sign !== 0x3f) {
      const isEmpty = all.charCodeAt(end - 2) === 0x2f;
      const to = isEmpty ? end - 2 : end - 1;
      const name = nameIn(all, open + 1, to);
      visitor.open?.(name, all.slice(open + 1, to));
      if (isEmpty) visitor.close?.(name);
    }
  }
}

/** The value of an attribute of a tag. The prefix of the attribute does not matter. */
export function attributeOf(tag: string, name: string): string | undefined {
  const from = tag.indexOf(` ${name}="`);
  if (from !== -1 && !tag.includes("'")) {
    const begin = from + name.length + 3;
    return decoded(tag.slice(begin, tag.indexOf('"', begin)));
  }
  if (!tag.includes(name)) return undefined;
  for (const [, found = '', double, single] of tag.matchAll(ATTRIBUTE))
    if (found.slice(found.indexOf(':') + 1) === name) return decoded(double ?? single ?? '');
  return undefined;
}

const ATTRIBUTE = /\s([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The index after a tag, a comment or a CDATA section; -1 if its end has not arrived yet. */
function endOfTag(all: string, open: number): number {
  const sign = all.charCodeAt(open + 1);
  if (sign === 0x21) {
    if (all.length < open + 9) return -1;
    const last = all.startsWith('<!--', open) ? '-->' : all.startsWith('<![CDATA[', open) ? ']]>' : '>';
    const found = all.indexOf(last, open + 4);
    return found === -1 ? -1 : found + last.length;
  }
  let end = all.indexOf('>', open);
  for (let at = open; end !== -1 && at < end; at += 1) {
    const quote = all.charCodeAt(at);
    if (quote !== 0x22 && quote !== 0x27) continue;
    // The value of an attribute may contain `>`.
    at = all.indexOf(quote === 0x22 ? '"' : "'", at + 1);
    if (at === -1) return -1;
    if (at > end) end = all.indexOf('>', at);
  }
  return end === -1 ? -1 : end + 1;
}

/** The name of an element without its prefix. */
function nameIn(all: string, from: number, to: number): string {
  let begin = from;
  let at = from;
  for (; at < to; at += 1) {
    const sign = all.charCodeAt(at);
    if (sign === 0x3a) begin = at + 1;
    else if (sign <= 0x20) break;
  }
  return all.slice(begin, at);
}

/** Replace every line end by a line feed, as XML requires. A carriage return that belongs to the text is written as an escape. */
function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&([^;&]*);?/g, (written, name: string) => {
    const code = name.startsWith('#x')
      ? parseInt(name.slice(2), 16)
      : name.startsWith('#')
        ? parseInt(name.slice(1), 10)
        : NaN;
    const found = ENTITIES[name] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : undefined);
    if (found === undefined || !written.endsWith(';'))
      throw new Error('has an entity that XML does not know');
    if (FORBIDDEN.test(found) || !found.isWellFormed())
      throw new Error(`has a character that XML forbids: ${written}`);
    return found;
  });
}
