/** The methods that can end a shared fixture; the first one present is called. */
const ENDINGS = ['stop', 'drop', 'destroy', 'end', 'close'] as const;

type Ending = Partial<Record<(typeof ENDINGS)[number], () => Promise<unknown>>>;

/** Fixtures that have not ended, in order of creation. */
const made: Ending[] = [];

/**
 * A fixture shared by the tests of a file or of a `describe`: made before the first test and ended after the last, newest
 * first. Returns a stand-in at once, so that the file's functions can refer to the fixture before it exists.
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

/** Make a fixture disposable, so that it ends with its block: `await using own = inBlock(await startService())`. */
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

/** A proxy for an object that exists only when the tests run, such as a part of a fixture of {@link setUp}. */
export function standIn<Made extends object>(find: () => Made): Made {
  return new Proxy({} as Made, { get: (_none, name) => Reflect.get(find(), name) as unknown });
}
