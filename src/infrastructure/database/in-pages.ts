/**
 * Read a list of any length in constant memory: each page is read when the previous one has been used.
 *
 * @param rowsMax number of rows in a page, or more; a shorter page is the last
 * @param read returns the page after a row, or the first page
 * @returns the pages, none of them empty
 */
export async function* inPages<Row>(
  rowsMax: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  do {
    const page = await read(last);
    if (page.length > 0) yield page;
    last = page.length >= rowsMax ? page.at(-1) : undefined;
  } while (last !== undefined);
}

/** The rows of all pages. */
export async function* inRows<Row>(...pages: Parameters<typeof inPages<Row>>): AsyncGenerator<Row> {
  for await (const page of inPages(...pages)) yield* page;
}
