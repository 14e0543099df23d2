import { circles, filesIn, importsOf, loadedBy, type SourceFile } from './sources.js';

/** The storeys of `src`, from the ground up; a file may import from its own storey and from those below it. */
const STOREYS = ['infrastructure', 'features', 'capabilities', 'apps'] as const;

/** The kinds of files in a module, in the order in which they may call each other. */
const KINDS = [
  /\.(controller|resolver|commands?)\.ts$/,
  /\.dto\.ts$/,
  /\.service\.ts$/,
  /\.batcher\.ts$/,
  /\.repository\.ts$/,
  /\.(entity|types)\.ts$/,
];

const service = filesIn('src').filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith('.spec.ts'));
const byPath = new Map(service.map((file) => [file.path, file]));

/** The two files directly in `src`, which wire the service. */
const isWiring = (path: string): boolean => /^src\/[^/]+$/.test(path);

/** The storey of a file. Features lie directly in `src`. */
function storeyOf(path: string): number {
  const [, folder = ''] = path.split('/');
  const storey = STOREYS.indexOf(folder as (typeof STOREYS)[number]);
  return storey === -1 ? STOREYS.indexOf('features') : storey;
}

/** The folder of a storey that a file belongs to, such as `src/notes` or `src/capabilities/feed`. */
function moduleOf(path: string): string {
  return path
    .split('/')
    .slice(0, storeyOf(path) === STOREYS.indexOf('features') ? 2 : 3)
    .join('/');
}

function kindOf(path: string): number {
  return KINDS.findIndex((kind) => kind.test(path));
}

/** The files of the project that a file imports, types included. */
function targetsOf(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ target }) =>
    target !== undefined && byPath.has(target) ? [target] : [],
  );
}

describe('the storeys of src', () => {
  it('import nothing from above', () => {
    const breaches = service.flatMap((file) =>
      targetsOf(file)
        .filter(
          (target) => !isWiring(file.path) && !isWiring(target) && storeyOf(target) > storeyOf(file.path),
        )
        .map(
          (target) =>
            `${file.path} imports ${target}: ${STOREYS[storeyOf(file.path)]} must not know ${STOREYS[storeyOf(target)]}. Move what it needs down, or itself up.`,
        ),
    );
    expect(breaches).toEqual([]);
  });

  it('know only in the application how the service is wired', () => {
    const breaches = service.flatMap((file) =>
      targetsOf(file)
        .filter(
          (target) => isWiring(target) && !isWiring(file.path) && moduleOf(file.path) !== 'src/apps/http',
        )
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(breaches).toEqual([]);
  });

  it('have folders that import each other in one direction: there is no circle', () => {
    const graph = new Map<string, Set<string>>();
    for (const file of service.filter(({ path }) => !isWiring(path))) {
      const own = moduleOf(file.path);
      const others = targetsOf(file)
        .filter((target) => !isWiring(target))
        .map(moduleOf);
      graph.set(own, new Set([...(graph.get(own) ?? []), ...others.filter((other) => other !== own)]));
    }
    expect(circles(graph)).toEqual([]);
  });
});

describe('modules', () => {
  it('use the repositories of no other module', () => {
    const breaches = service.flatMap((file) =>
      targetsOf(file)
        .filter((target) => target.endsWith('.repository.ts') && moduleOf(target) !== moduleOf(file.path))
        .map((target) => `${file.path} imports ${target}: call the service of that module`),
    );
    expect(breaches).toEqual([]);
  });

  it('are called from controller to service to batcher to repository to entity, never in reverse', () => {
    const breaches = service.flatMap((file) => {
      const own = kindOf(file.path);
      if (own === -1) return [];
      return targetsOf(file)
        .filter((target) => moduleOf(target) === moduleOf(file.path))
        .filter((target) => kindOf(target) !== -1 && kindOf(target) < own)
        .map((target) => `${file.path} imports ${target}, which is called before it`);
    });
    expect(breaches).toEqual([]);
  });

  it('let a controller or resolver reach a repository only through a service', () => {
    const breaches = service
      .filter(({ path }) => /\.(controller|resolver|commands?)\.ts$/.test(path))
      .flatMap((file) =>
        targetsOf(file)
          .filter((target) => /\.(repository|batcher)\.ts$/.test(target))
          .map((target) => `${file.path} imports ${target}: call the service`),
      );
    expect(breaches).toEqual([]);
  });

  it('start an operator command without the packages of HTTP, GraphQL and OpenAPI, which take longer than most commands', () => {
    const { files, interfaces } = startOf(
      'src/apps/cli/run.ts',
      ...targetsOf(byPath.get('src/apps/cli/command-groups.ts')!),
    );
    expect(files).toContain('src/accounts/staging/staging.service.ts');
    expect(interfaces).toEqual([]);
  });

  it('start the service without those packages until it serves, so that a failing start needs none of them', () => {
    const { files, interfaces } = startOf('src/main.ts');
    expect(files).toContain('src/apps/http/start/run-service.ts');
    expect(interfaces).toEqual([]);
    expect(startOf('src/apps/http/serve.ts').interfaces).not.toEqual([]);
  });

  it('serve before the packages of GraphQL, OpenAPI, Stripe, S3 and metrics are loaded, which take a third of a start', () => {
    const { files, packages } = startOf('src/apps/http/serve.ts');
    expect(files).toContain('src/documents/s3-document-store.ts');
    const late =
      /^(@nestjs\/(graphql|apollo|swagger)|@apollo\/.*|@as-integrations\/.*|graphql.*|stripe|@aws-sdk\/.*|prom-client)$/;
    expect(packages.filter(([name]) => late.test(name))).toEqual([]);
  });
});

describe('files of src', () => {
  it('import each other in one direction: there is no circle', () => {
    expect(circles(new Map(service.map((file) => [file.path, new Set(targetsOf(file))])))).toEqual([]);
  });

  it('are in a directory, except for the two that start and wire the service', () => {
    const top = service.map(({ path }) => path).filter((path) => /^src\/[^/]+$/.test(path));
    expect(top).toEqual(['src/app.module.ts', 'src/main.ts']);
  });
});

/** The files and packages loaded when a program starts, each package with a file that imports it; `interfaces`: HTTP, GraphQL, OpenAPI. */
function startOf(...paths: string[]): {
  files: Set<string>;
  packages: [string, string][];
  interfaces: [string, string][];
} {
  const files = new Set(paths);
  const packages = new Map<string, string>();
  for (const path of files) {
    for (const { written, target } of loadedBy(byPath.get(path)!)) {
      if (target === undefined) packages.set(written, path);
      else files.add(target);
    }
  }
  const interfaces = /^(@nestjs\/(graphql|apollo|swagger|platform-fastify)|@apollo\/.*|graphql|@?fastify.*)$/;
  const all = [...packages];
  return { files, packages: all, interfaces: all.filter(([name]) => interfaces.test(name)) };
}
