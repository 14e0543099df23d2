import { filesIn, importsOf, loadedBy, type SourceFile } from './sources.js';

/** The modules from the top layer to the lowest; a module may import only from layers below its own. */
const LAYERS = [
  ['start'],
  ['http', 'cli'],
  ['demonstration', 'console'],
  ['contents'],
  ['transactions'],
  ['notes', 'statements', 'payment-instructions'],
  ['imports', 'restored'],
  ['documents', 'account-lists'],
  ['importing', 'periods'],
  ['control-totals'],
  ['account-files'],
  ['erasure', 'history'],
  ['feed'],
  ['totals', 'sent-requests'],
  ['accounts'],
  ['import-suppliers'],
  ['auth', 'catalogues', 'distribution'],
  ['audit', 'health'],
  ['evidence', 'changes', 'items', 'runs'],
  ['database'],
  ['budget'],
  ['common'],
  ['config'],
];

/** The kinds of files inside a module, from the one that is called first to the one that calls nothing else. */
const KINDS = [
  /\.(controller|resolver|commands?)\.ts$/,
  /\.dto\.ts$/,
  /\.service\.ts$/,
  /\.batcher\.ts$/,
  /\.repository\.ts$/,
  /\.(entity|types|columns)\.ts$/,
];

const service = filesIn('src').filter(({ path }) => /\.tsx?$/.test(path) && !path.endsWith('.spec.ts'));
const byPath = new Map(service.map((file) => [file.path, file]));

/** What knows every module: the two files at the top of src, and the list of entities. */
const WIRING = /^src\/([^/]+|database\/data-source\.ts)$/;

/** The module that a file belongs to; nothing for what wires them together. */
function moduleOf(path: string): string | undefined {
  return WIRING.test(path) ? undefined : path.split('/')[1];
}

function layerOf(module: string): number {
  return LAYERS.findIndex((layer) => layer.includes(module));
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

describe('modules', () => {
  it('all belong to a layer', () => {
    const modules = new Set(service.map(({ path }) => moduleOf(path)).filter((name) => name !== undefined));
    expect([...modules].filter((name) => layerOf(name) === -1)).toEqual([]);
  });

  it('import only from lower layers', () => {
    const breaches = service.flatMap((file) => {
      const own = moduleOf(file.path);
      if (own === undefined) return [];
      return targetsOf(file).flatMap((target) => {
        const other = moduleOf(target);
        if (other === undefined || other === own || layerOf(other) > layerOf(own)) return [];
        return [`${file.path} imports ${target}: the layer of ${other} is not below that of ${own}`];
      });
    });
    expect(breaches).toEqual([]);
  });

  it('do not import how they are wired together', () => {
    // The two that start something: the HTTP application is made of all modules, and operator commands use all entities.
    const allowed = new Set(['http src/app.module.ts', 'cli src/database/data-source.ts']);
    const breaches = service.flatMap((file) =>
      targetsOf(file)
        .filter((target) => moduleOf(file.path) !== undefined && moduleOf(target) === undefined)
        .filter((target) => !allowed.has(`${moduleOf(file.path) ?? ''} ${target}`))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(breaches).toEqual([]);
  });

  it('use the repositories of no other module', () => {
    const breaches = service.flatMap((file) =>
      targetsOf(file)
        .filter((target) => target.endsWith('.repository.ts') && moduleOf(target) !== moduleOf(file.path))
        .map((target) => `${file.path} imports ${target}: call the service of that module`),
    );
    expect(breaches).toEqual([]);
  });

  it('are called from controller to service to batcher to repository to entity, never back', () => {
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
      'src/cli/run.ts',
      ...targetsOf(byPath.get('src/cli/command-groups.ts')!),
    );
    expect(files).toContain('src/importing/staging.service.ts');
    expect(interfaces).toEqual([]);
  });

  it('start the service without those packages until it serves, so that a start which fails needs none of them', () => {
    const { files, interfaces } = startOf('src/main.ts');
    expect(files).toContain('src/start/run-service.ts');
    expect(interfaces).toEqual([]);
    expect(startOf('src/http/serve.ts').interfaces).not.toEqual([]);
  });

  it('serve before the packages of GraphQL, OpenAPI, Stripe, S3 and metrics are loaded, which take a third of a start', () => {
    const { files, packages } = startOf('src/http/serve.ts');
    expect(files).toContain('src/documents/s3-document-store.ts');
    const late =
      /^(@nestjs\/(graphql|apollo|swagger)|@apollo\/.*|@as-integrations\/.*|graphql.*|stripe|@aws-sdk\/.*|prom-client)$/;
    expect(packages.filter(([name]) => late.test(name))).toEqual([]);
  });
});

describe('files of src', () => {
  it('import each other in one direction: there is no circle', () => {
    expect(circles()).toEqual([]);
  });

  it('are in a directory, but for the two that start and wire the service', () => {
    const top = service.map(({ path }) => path).filter((path) => /^src\/[^/]+$/.test(path));
    expect(top).toEqual(['src/app.module.ts', 'src/main.ts']);
  });
});

/** What is loaded when a program starts: files, and packages with a file that imports each; among them those of HTTP, GraphQL and OpenAPI. */
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

/** Every path of imports that leads back to the file it began at, found by depth-first search. */
function circles(): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start !== -1) found.push([...trail.slice(start), path].join(' → '));
    if (start !== -1 || finished.has(path)) return;
    for (const target of targetsOf(byPath.get(path)!)) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const { path } of service) visit(path, []);
  return found;
}
