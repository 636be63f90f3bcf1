import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

/** Prints machine, day and commit, without which figures cannot be compared. */
export function printHeading(title: string): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  console.log(
    `\n${title}\n${cpus().length} × ${cpu?.model ?? 'processor'}, Node ${process.versions.node}, ${commit}, ${day}\n`,
  );
}

export function printTable(head: string[], rows: (string | number)[][]): void {
  const cells = [head, ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? rounded(cell) : cell)))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  console.log(line(cells[0] as string[]));
  console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of cells.slice(1)) console.log(line(row as string[]));
}

export const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

const rounded = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

let missed = 0;

/** Prints whether a threshold is met. A missed one makes the command fail. */
export function holdBar(what: string, isMet: boolean): void {
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}`);
  if (!isMet) missed += 1;
  process.exitCode = missed > 0 ? 1 : 0;
}
