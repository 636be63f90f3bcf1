import { parseAst } from 'vite';
import { isTest, sourceFiles } from './source-files.ts';

/** So many lines of its own a function may have; functions inside it count for themselves. */
const mostLines = 100;

interface Node {
  type: string;
  start: number;
  end: number;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/**
 * Functions that nobody takes in at one reading, as `file:line sentence`. What creates a service and returns its functions
 * may be longer: it is read as a module is, function by function.
 */
export function functionProblems(files: Map<string, string>): string[] {
  return [...files].flatMap(([path, source]) => {
    const lineOf = (position: number) => source.slice(0, position).split('\n').length;
    const problems: string[] = [];
    /** How many lines of the node stand in functions. */
    const linesInFunctions = (node: Node): number => {
      const inside = childrenOf(node).reduce((sum, child) => sum + linesInFunctions(child), 0);
      if (!functionTypes.has(node.type)) return inside;
      const first = lineOf(node.start);
      const all = lineOf(node.end) - first + 1;
      const own = all - inside;
      if (own > mostLines) problems.push(`${path}:${first} a function has ${own} lines of its own, above ${mostLines}`);
      // Its first line is also one of whatever it stands in.
      return all - 1;
    };
    linesInFunctions(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as Node);
    return problems;
  });
}

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

if (import.meta.main) {
  const all = await sourceFiles('{domain,contract,operators,server,web,console,sandbox,scripts,bench}/**/*.{ts,tsx}');
  const files = new Map([...all].filter(([path]) => !isTest(path)));
  const problems = functionProblems(files);
  for (const problem of problems) console.error(problem);
  console.log(`${files.size} files, ${problems.length} functions above ${mostLines} lines of their own.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
