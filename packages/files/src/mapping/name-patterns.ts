/**
 * A test whether one of the patterns names a path below a folder. `*` stands for any text without a slash, `**` for any
 * text, `?` for one character. A pattern without a slash is the name of a file or subfolder at any level; a subfolder
 * stands for everything in it.
 */
export function namedBy(patterns: readonly string[]): (path: string) => boolean {
  const tests = patterns.map((pattern) => {
    const name = pattern.replace(/^\.\//, '').replace(/\/$/, '');
    return { expression: expressionOf(name), isPath: name.includes('/') };
  });
  return (path) => {
    if (tests.length === 0) return false;
    const names = path.split('/');
    const paths = names.map((_name, index) => names.slice(0, index + 1).join('/'));
    return tests.some(({ expression, isPath }) =>
      (isPath ? paths : names).some((text) => expression.test(text)),
    );
  };
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => SIGNS[part] ?? part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('')}$`, 's');
}

const SIGNS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
