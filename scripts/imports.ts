import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export interface Import {
  /** Path from the repository's root. */
  to: string;
  line: number;
}

/** What a file imports from this repository; packages from elsewhere are left out. */
export function importsOf(path: string, source: string): Import[] {
  const found: Import[] = [];
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const add = (specifier: unknown, start: number) => {
    const to = typeof specifier === 'string' ? resolveImport(path, specifier) : null;
    if (to) found.push({ to, line: source.slice(0, start).split('\n').length });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.start),
    ExportNamedDeclaration: (node) => add(node.source?.value, node.start),
    ExportAllDeclaration: (node) => add(node.source.value, node.start),
    ImportExpression: (node) => add(node.source.type === 'Literal' && node.source.value, node.start),
    TSImportType: (node) => add(node.source.value, node.start),
  }).visit(program);
  return found;
}

function resolveImport(from: string, specifier: string): string | null {
  const path = specifier.replace(/\?.*$/, '');
  if (path.startsWith('.')) return posix.join(posix.dirname(from), path);
  return path.startsWith('@portal/') ? path.slice('@portal/'.length) : null;
}
