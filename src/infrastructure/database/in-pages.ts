/**
 * A list of any length in constant memory: each page is read when the one before is done with.
 *
 * @param rowsMax of a page; a shorter one is the last
 * @param read the page after a row, the first one without it
 * @returns no empty page
 */
export async function* inPages<Row>(
  rowsMax: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  do {
    const page = await read(last);
    if (page.length > 0) yield page;
    last = page.length === rowsMax ? page.at(-1) : undefined;
  } while (last !== undefined);
}
