interface Source {
  readonly PARTS: readonly object[];
  readonly routes: readonly object[];
  readonly CATALOGUE_SEED: object;
  readonly VENDORS: object;
  readonly NAVIGATION: object;
}

/** The files whose text, or a table of it, comes from the code. @param read returns the present text of a file */
export function generatedDocs(
  source: Source,
  read: (path: string) => string,
): { readonly path: string; readonly text: string }[];
