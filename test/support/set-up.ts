/** The methods that can end a shared fixture; the first one present is called. */
const ENDINGS = ['stop', 'drop', 'destroy', 'end', 'close', 'cut'] as const;

type Ending = Partial<Record<(typeof ENDINGS)[number], () => Promise<unknown>>>;

/** Fixtures that have not ended, in order of creation. */
const made: Ending[] = [];

/**
 * A fixture shared by the tests of a file or of a `describe`: made before the first test and ended after the last, newest
 * first. Returns a stand-in at once, so that the file's functions can refer to the fixture before it exists.
 */
export function setUp<Made extends object>(
  make: () => Promise<Made>,
  [before, after] = [beforeAll, afterAll],
): Made {
  let own: Made;
  before(async () => {
    own = await make();
    made.push(own);
  });
  after(async () => {
    await endingOf(made.pop())?.();
  });
  return standIn(() => own);
}

/** A fixture that is made before each test and ended after it. */
export function setUpEach<Made extends object>(make: () => Promise<Made>): Made {
  return setUp(make, [beforeEach, afterEach]);
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
  return new Proxy({} as Made, {
    get: (_none, name) => Reflect.get(find(), name) as unknown,
    set: (_none, name, value) => Reflect.set(find(), name, value),
  });
}
