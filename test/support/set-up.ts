/** How something ends that tests share. */
const ENDINGS = ['stop', 'drop', 'destroy', 'end', 'close'] as const;

type Ending = Partial<Record<(typeof ENDINGS)[number], () => Promise<unknown>>>;

/** What was made and has not ended, in the order in which it was made. */
const made: Ending[] = [];

/**
 * What the tests of a file, or of a part of it, share: made before the first of them, and ended after the last, the newest
 * first. What is returned stands for it, so that functions of the file can name it before it is there.
 */
export function setUp<Made extends object>(make: () => Promise<Made>): Made {
  let own: Made;
  beforeAll(async () => {
    own = await make();
    made.push(own);
  });
  afterAll(async () => {
    await endingOf(made.pop())?.();
  });
  return standIn(() => own);
}

/** Something that ends with the block in which it is declared: `await using own = inBlock(await startService())`. */
export function inBlock<Made extends object>(made: Made): Made & AsyncDisposable {
  const end = async (): Promise<void> => {
    await endingOf(made)?.();
  };
  return Object.assign(made, { [Symbol.asyncDispose]: end });
}

function endingOf(made: Ending | undefined): (() => Promise<unknown>) | undefined {
  const name = ENDINGS.find((ending) => made?.[ending] !== undefined);
  return name && made?.[name]?.bind(made);
}

/** Stands for something that is there when the tests run, such as a part of what {@link setUp} makes. */
export function standIn<Made extends object>(find: () => Made): Made {
  return new Proxy({} as Made, { get: (_none, name) => Reflect.get(find(), name) as unknown });
}
