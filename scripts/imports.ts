import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export interface Import {
  /** Path from the repository's root. */
  to: string;
  line: number;
  /** Erased before the program runs, so it cannot take part in a cycle of loading. */
  typeOnly: boolean;
}

/** What a file imports from this repository; packages from elsewhere are left out. */
export function importsOf(path: string, source: string): Import[] {
  const found: Import[] = [];
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const add = (specifier: unknown, start: number, typeOnly: boolean) => {
    const to = typeof specifier === 'string' ? resolveImport(path, specifier) : null;
    if (to) found.push({ to, line: source.slice(0, start).split('\n').length, typeOnly });
  };
  new Visitor({
    // `import { type A }` keeps loading the file under verbatimModuleSyntax; only `import type` does not.
    ImportDeclaration: (node) => add(node.source.value, node.start, node.importKind === 'type'),
    ExportNamedDeclaration: (node) => add(node.source?.value, node.start, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source.value, node.start, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source.type === 'Literal' && node.source.value, node.start, false),
    TSImportType: (node) => add(node.source.value, node.start, true),
  }).visit(program);
  return found;
}

function resolveImport(from: string, specifier: string): string | null {
  const path = specifier.replace(/\?.*$/, '');
  if (path.startsWith('.')) return posix.join(posix.dirname(from), path);
  return path.startsWith('@portal/') ? path.slice('@portal/'.length) : null;
}
