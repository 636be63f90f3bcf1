import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { checkSteps, longSteps, type StepResult } from './check-steps.ts';
import type { Postgres } from './postgres.ts';
import { endWith, Refusal, stopRunning, withProgress } from './progress.mjs';

interface Row extends StepResult {
  name: string;
  duration: string;
}

const rows: Row[] = [];
let postgres: Postgres | undefined;
const since = Date.now();
const shownTimes = Number(process.env.SHOW_SLOWEST ?? 10);

let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  stopRunning();
  await postgres?.stop();
  process.exit(130);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, stop);

const { long, only } = parseArgs({ options: { long: { type: 'boolean' }, only: { type: 'string' } } }).values;
const steps = long
  ? longSteps
  : checkSteps({
      onPostgres: (started) => {
        postgres = started;
      },
    });
/** One per core; long steps measure, so nothing may run beside them. */
const sideBySide = long ? 1 : availableParallelism();

try {
  await runSteps(chosenSteps());
} catch (error) {
  await postgres?.stop();
  endWith(error);
}
await postgres?.stop();
printSummary();

/** All steps, or the requested ones with their dependencies. */
function chosenSteps(): string[] {
  const all = Object.keys(steps);
  const wanted = only?.split(',').map((name) => name.trim()) ?? all;
  const unknown = wanted.filter((name) => !steps[name]);
  if (unknown.length > 0)
    throw new Refusal(`There is no step "${unknown.join('", "')}": choose from ${all.join(', ')}.`);
  const needed = new Set(wanted.flatMap((name) => [...(steps[name]?.needs ?? []), name]));
  return all.filter((name) => needed.has(name));
}

/** Runs steps in order, `sideBySide` at a time; a step waits for its dependencies. */
async function runSteps(names: string[]): Promise<void> {
  const waiting = [...names];
  const isEnded = (name: string) => !names.includes(name) || rows.some((row) => row.name === name);
  const running = new Map<string, Promise<void>>();
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.find((name) => steps[name]?.needs?.every(isEnded) ?? true);
    if (next && running.size < sideBySide) {
      waiting.splice(waiting.indexOf(next), 1);
      running.set(
        next,
        runStep(next).finally(() => running.delete(next)),
      );
    } else await Promise.race(running.values());
    if (stopping) await new Promise(() => {});
  }
}

async function runStep(name: string): Promise<void> {
  const step = steps[name];
  if (!step) return;
  const broken = step.needs?.find((need) => rows.some((row) => row.name === need && row.failed > 0));
  let row: Row = { name, duration: '', passed: 0, failed: 1, output: `Not run, because ${broken} failed.` };
  const report = () => `${row.failed > 0 ? 'FAILED' : 'ok    '}  ${name}  ${row.duration}  ${counts(row)}`.trimEnd();
  if (broken) console.log(report());
  else {
    await withProgress(
      name,
      () => step.run().catch(failure),
      (duration, result) => {
        row = { name, duration, ...result };
        return report();
      },
    );
  }
  rows.push(row);
  for (const line of row.named ?? []) console.log(`        ${line}`);
  if (row.failed > 0) console.log(`\n${row.output.trimEnd()}\n`);
}

/** A Refusal fails its step; any other error is a bug of this script. */
function failure(error: unknown): StepResult {
  if (!(error instanceof Refusal)) throw error;
  return { passed: 0, failed: 1, output: [error.output, error.message].filter(Boolean).join('\n\n') };
}

function counts({ passed, failed, skipped }: StepResult): string {
  if (passed + failed === 1 && !skipped) return '';
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
}

function printSummary(): void {
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0);
  const order = Object.keys(steps);
  rows.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  const width = Math.max(...rows.map((row) => row.name.length));
  console.log(`\n${'step'.padEnd(width)}  result  ${'time'.padStart(7)}`);
  for (const row of rows) {
    const result = row.failed > 0 ? 'FAILED' : 'ok';
    console.log(
      `${row.name.padEnd(width)}  ${result.padEnd(6)}  ${row.duration.padStart(7)}  ${counts(row)}`.trimEnd(),
    );
  }
  const slowest = rows.flatMap((row) => row.times ?? []).sort((one, other) => other.seconds - one.seconds);
  if (slowest.length > shownTimes) console.log('\nThe slowest tests:');
  for (const { name, seconds } of slowest.slice(0, shownTimes))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  const minutes = ((Date.now() - since) / 60_000).toFixed(1);
  console.log(`\n${sum((row) => row.passed)} passed, ${sum((row) => row.failed)} failed, in ${minutes} minutes`);
  process.exit(rows.some((row) => row.failed > 0) ? 1 : 0);
}
