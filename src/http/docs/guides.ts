/** A guide on a page of its own below `/docs/`, which the build makes of its Markdown (scripts/guides.mjs). */
export interface Guide {
  /** Below `/docs/`. */
  readonly address: string;
  /** The file of the project. */
  readonly source: string;
}

/** What somebody needs who loads data. Links between guides lead from page to page; links to other files of the project are left out. */
export const GUIDES: readonly Guide[] = [
  { address: 'guides/loading/', source: 'docs/loading.md' },
  { address: 'guides/migrating/', source: 'docs/migrating.md' },
  { address: 'guides/errors/', source: 'docs/errors.md' },
  { address: 'guides/proof/', source: 'docs/proof.md' },
  { address: 'loader/manual/', source: 'packages/loader/README.md' },
  { address: 'loader/mapping/', source: 'packages/loader/docs/mapping.md' },
];

/** Where the build has the page of a guide. */
export function builtGuide({ address }: Guide): string {
  return `guides/${address.replace(/\/$/, '').replaceAll('/', '-')}.html`;
}
