import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

/** A file of the project, with its path from the project's folder. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The parts of a package that belong to the project, unlike its build output and node_modules. */
const PARTS = ['src', 'test', 'docs', 'README.md', 'package.json'];

/** Sources and tests of the packages below packages/. */
export function filesOfPackages(): SourceFile[] {
  return filesIn(
    ...readdirSync('packages').flatMap((name) => PARTS.map((part) => `packages/${name}/${part}`)),
  );
}

/** Every file below the folders, and every single file named. */
export function filesIn(...paths: string[]): SourceFile[] {
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => (statSync(path).isFile() ? [read(path)] : below(path)));
}

function below(folder: string): SourceFile[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // Skip pictures.
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.png'))
      .map((entry) => read(join(entry.parentPath, entry.name).replaceAll('\\', '/')))
      .sort((one, other) => (one.path < other.path ? -1 : 1))
  );
}

function read(path: string): SourceFile {
  return { path, text: readFileSync(path, 'utf8') };
}

/** The imports of a file: the specifier as written and, for a file of the project, its path. */
export function importsOf({ path, text }: SourceFile): { written: string; target?: string }[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => {
    const [, bundled] = /^@data-import\/(client|files)$/.exec(fileName) ?? [];
    const target = bundled === undefined ? undefined : `packages/${bundled}/src/index.ts`;
    const isRelative = fileName.startsWith('.');
    return {
      written: fileName,
      ...(target !== undefined && { target }),
      ...(isRelative && { target: sourceOf(posix.join(dirname(path), fileName)) }),
    };
  });
}

/** @param built imported path of a module */
function sourceOf(built: string): string {
  const [plain, template] = ['.ts', '.tsx'].map((extension) => built.replace(/\.js$/, extension));
  return template !== undefined && existsSync(template) ? template : (plain ?? built);
}

/** The imports that are loaded together with a file: without type imports and dynamic imports. */
export function loadedBy(file: SourceFile): ReturnType<typeof importsOf> {
  const { statements } = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest);
  const loaded = new Set(
    statements
      .filter((statement) => ts.isImportDeclaration(statement))
      .filter(({ importClause }) => !isOfTypes(importClause))
      .map(({ moduleSpecifier }) => (moduleSpecifier as ts.StringLiteral).text),
  );
  return importsOf(file).filter(({ written }) => loaded.has(written));
}

function isOfTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  const { namedBindings, name, phaseModifier } = clause;
  const isNamed = namedBindings !== undefined && ts.isNamedImports(namedBindings) && !name;
  return (
    phaseModifier === ts.SyntaxKind.TypeKeyword ||
    (isNamed && namedBindings.elements.every((element) => element.isTypeOnly))
  );
}

/** Every path of imports that leads back to where it began, found by depth-first search. A node is a file or a folder. */
export function circles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node);
    if (start !== -1) found.push([...trail.slice(start), node].join(' → '));
    if (start !== -1 || finished.has(node)) return;
    for (const target of graph.get(node) ?? []) visit(target, [...trail, node]);
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}
