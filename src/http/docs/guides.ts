/** A guide on a page of its own below `/docs/`, which the build makes of its Markdown (scripts/docs.mjs). */
export interface Guide {
  /** Below `/docs/`. */
  readonly address: string;
  /** The file of the project. */
  readonly source: string;
  /** What the navigation calls it. */
  readonly name: string;
}

/** For people who load data. Links between guides lead from page to page; links to other files of the project are left out. */
export const GUIDES: readonly Guide[] = [
  { address: 'guides/loading/', source: 'docs/loading.md', name: 'Loading data' },
  { address: 'guides/errors/', source: 'docs/errors.md', name: 'Errors' },
  { address: 'guides/proof/', source: 'docs/proof.md', name: 'Proof' },
  { address: 'guides/platform/', source: 'docs/platform.md', name: 'Reading the feed' },
  { address: 'guides/migrating/', source: 'docs/migrating.md', name: 'Migrating with the loader' },
  { address: 'loader/manual/', source: 'packages/loader/README.md', name: 'Loader manual' },
  { address: 'loader/mapping/', source: 'packages/loader/docs/mapping.md', name: 'Mapping file' },
];

/** A published OpenAPI document with a page of its own, on which its operations can be tried. */
export interface Reference {
  /** Below `/docs/`. */
  readonly address: string;
  /** The document, in the folder `contract` and below `/docs/`. */
  readonly document: string;
  readonly name: string;
}

export const REFERENCES: readonly Reference[] = [
  { address: '', document: 'openapi.json', name: 'REST API' },
  { address: 'feed/', document: 'platform.json', name: 'Feed API' },
];

/** Where a build has the content of the pages (scripts/docs.mjs). */
export const CONTENT_FILE = 'docs.json';
