/** Says what is wrong with a generated file; null when it is what would be generated now. */
export function staleSentence(path: string, expected: string, actual: string | null): string | null {
  if (actual === expected) return null;
  const remedy = 'run `node scripts/generate.ts` and commit the result.';
  if (actual === null) return `${path} is missing: ${remedy}`;
  const lines = actual.split('\n');
  const line = expected.split('\n').findIndex((text, index) => text !== lines[index]);
  return `${path} is stale from line ${line < 0 ? lines.length : line + 1} on: ${remedy}`;
}
