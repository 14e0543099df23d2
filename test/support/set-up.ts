/** How something ends that tests share. */
const ENDINGS = ['stop', 'drop', 'destroy', 'close'] as const;

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
    const last = made.pop();
    const ending = ENDINGS.find((name) => last?.[name] !== undefined);
    if (ending) await last?.[ending]?.();
  });
  return standIn(() => own);
}

/** Stands for something that is there when the tests run, such as a part of what {@link setUp} makes. */
export function standIn<Made extends object>(find: () => Made): Made {
  return new Proxy({} as Made, { get: (_none, name) => Reflect.get(find(), name) as unknown });
}
