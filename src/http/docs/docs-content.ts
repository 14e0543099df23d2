import { readFile } from 'node:fs/promises';
import { buildFile } from '../../config/project-file.js';
import { CONTENT_FILE } from './guides.js';

/** Of the table of contents of a page. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  /** 2 for a part of the page, 3 for a part of that. */
  readonly depth: number;
}

export interface GuideContent {
  readonly title: string;
  /** HTML below the title. */
  readonly body: string;
  readonly headings: readonly Heading[];
}

/** An operation of an interface, as it is shown where no script runs. */
export interface OperationContent {
  /** Its anchor, which Swagger UI understands too. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** HTML. */
  readonly description: string;
}

export interface ReferenceContent {
  /** HTML: what comes before the first operation. */
  readonly introduction: string;
  readonly operations: readonly OperationContent[];
}

/** What the search finds: a part of a guide below a heading, or an operation. */
export interface SearchSection {
  /** Of the page, with the anchor of the heading. */
  readonly address: string;
  readonly page: string;
  readonly heading: string;
  /** Without markup. */
  readonly text: string;
}

/** What the build makes of the guides and of the published documents (scripts/docs.mjs), by their addresses. */
export interface DocsContent {
  readonly guides: Readonly<Record<string, GuideContent>>;
  readonly references: Readonly<Record<string, ReferenceContent>>;
  readonly sections: readonly SearchSection[];
}

let content: Promise<DocsContent> | undefined;

/** The content of the pages, which is read once. */
export function readContent(): Promise<DocsContent> {
  content ??= readFile(buildFile(CONTENT_FILE), 'utf8').then((text) => JSON.parse(text) as DocsContent);
  return content;
}

/** @throws when the build has other pages than the service */
export function contentOf<T>(all: Readonly<Record<string, T>>, address: string): T {
  const found = all[address];
  if (found === undefined) throw new Error(`The build has no content for /docs/${address}.`);
  return found;
}
