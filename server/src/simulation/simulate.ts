import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { caughtBy } from './caught-by.ts';
import { type FaultKind, faultNames } from './fault-kinds.ts';
import { otherBugs } from './planted-bugs.other.ts';
import { plantedBugs } from './planted-bugs.ts';
import { openSimulationDatabase } from './simulation-database.ts';
import { runSeed } from './world.ts';

interface Summary {
  seeds: number;
  steps: number;
  fired: Record<string, number>;
  /** The number of seeds in which each kind of fault struck, and in which each place was reached. */
  struckIn: Record<string, number>;
  edges: Record<string, number>;
  lockWaits: number;
  /** In seconds; null for PostgreSQL if the operating system does not provide it. */
  processor: { node: number; postgresql: number | null };
  broken: { seed: number; what: string }[];
}

const emptySummary = (): Summary => ({
  ...{ seeds: 0, steps: 0, fired: {}, struckIn: {}, edges: {}, lockWaits: 0, broken: [] },
  processor: { node: 0, postgresql: 0 },
});

const run = promisify(execFile);
const here = import.meta.filename;
const mostBroken = 5;
/** REL-15: at least this many of `otherBugs` must be caught. */
const fewestOthers = 38;

/** Seeds `from` to `from + count - 1` in this process. */
async function simulate(from: number, count: number, options: { isLoud: boolean; stopAtFirst: boolean }) {
  const database = await openSimulationDatabase();
  const summary = emptySummary();
  for (let seed = from; seed < from + count; seed += 1) {
    const print = options.isLoud ? (line: string) => console.log(line) : null;
    const report = await runSeed(seed, database, print);
    summary.seeds += 1;
    summary.steps += report.steps;
    summary.lockWaits += report.lockWaits;
    for (const kind of faultNames) add(summary.fired, kind, report.fired[kind]);
    for (const kind of faultNames) add(summary.struckIn, kind, report.fired[kind] > 0 ? 1 : 0);
    for (const [edge, times] of report.edges) add(summary.edges, edge, times);
    for (const place of report.places) add(summary.struckIn, place, 1);
    if ([...report.edges.keys()].some((edge) => edge.endsWith('>REVIEW'))) add(summary.struckIn, 'review', 1);
    if (report.broken) summary.broken.push({ seed, what: report.broken });
    if (summary.broken.length >= (options.stopAtFirst ? 1 : mostBroken)) break;
  }
  const { user, system } = process.cpuUsage();
  summary.processor = { node: (user + system) / 1e6, postgresql: database.processorSeconds() };
  await database.close();
  return summary;
}

const add = (counts: Record<string, number>, name: string, times: number) => {
  counts[name] = (counts[name] ?? 0) + times;
};

async function inChild(words: string[], bug?: string): Promise<Summary> {
  const plant = bug ? ['--import', new URL('./plant.ts', import.meta.url).href] : [];
  const { stdout } = await run(process.execPath, ['--max-semi-space-size=32', ...plant, here, ...words, '--as-json'], {
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...(bug ? { PLANTED_BUG: bug } : {}) },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Summary;
}

function added(summaries: Summary[]): Summary {
  const total = emptySummary();
  for (const { seeds, steps, fired, struckIn, edges, lockWaits, processor, broken } of summaries) {
    total.seeds += seeds;
    total.steps += steps;
    total.lockWaits += lockWaits;
    for (const [kind, times] of Object.entries(fired)) add(total.fired, kind, times);
    for (const [kind, times] of Object.entries(struckIn)) add(total.struckIn, kind, times);
    for (const [edge, times] of Object.entries(edges)) add(total.edges, edge, times);
    total.processor.node += processor.node;
    const { postgresql } = total.processor;
    total.processor.postgresql =
      postgresql === null || processor.postgresql === null ? null : postgresql + processor.postgresql;
    total.broken.push(...broken);
  }
  return total;
}

/** Distributes small slices to the processes, so that all finish at about the same time and progress can be printed. */
async function simulateInParallel(from: number, count: number, workers: number): Promise<Summary> {
  // A process spends half of its time warming up, so a slice is not too small.
  const slice = Math.min(Math.max(Math.ceil(count / workers), 25), 500);
  const starts = Array.from({ length: Math.ceil(count / slice) }, (_, index) => from + index * slice);
  const summaries: Summary[] = [];
  // A long run that is interrupted still prints its results, and the next run can continue from there.
  let isEnded = false;
  process.once('SIGINT', () => {
    isEnded = true;
    starts.length = 0;
  });
  const work = async () => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const seeds = String(Math.min(slice, from + count - start));
      const summary = await inChild(['--from', String(start), '--seeds', seeds]).catch((error: unknown) => {
        if (isEnded) return null;
        throw error;
      });
      if (!summary) return;
      summaries.push(summary);
      for (const { seed, what } of summary.broken) console.error(`Seed ${seed} broke ${what}`);
      if (count > 1000) console.error(`${added(summaries).seeds} of ${count} seeds`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return added(summaries);
}

function printSummary(summary: Summary, seconds: number): void {
  const faults = Object.values(summary.fired).reduce((sum, times) => sum + times, 0);
  console.log(
    `${summary.seeds} seeds, ${summary.steps} steps, ${faults} faults of ${faultNames.length} kinds, ${Math.round(seconds)} s.`,
  );
  const { node, postgresql } = summary.processor;
  const a = (whole: number) => (whole / summary.seeds).toFixed(3);
  console.log(
    `${a(node + (postgresql ?? 0))} s of one processor a seed: node ${a(node)}, PostgreSQL ${postgresql === null ? 'not known' : a(postgresql)}. ${summary.lockWaits} statements waited for another connection.`,
  );
  const rare = faultNames.filter((kind: FaultKind) => !summary.fired[kind]);
  if (rare.length > 0) console.log(`Never struck: ${rare.join(', ')}.`);
  for (const { seed, what } of summary.broken)
    console.log(`Seed ${seed} broke ${what}\n  replay: npm run simulate -- --seed ${seed}`);
  if (summary.broken.length === 0) console.log('No promise was broken.');
}

/** The seed that is known to catch it; null if it is not among the first `seeds`. */
function knownWithin(seeds: number, { name }: { name: string }): number | null {
  const seed = caughtBy[name];
  return seed !== undefined && seed <= seeds ? seed : null;
}

async function catchBugs(seeds: number, bugs: readonly { name: string }[]): Promise<number> {
  let missed = 0;
  const waiting = [...bugs];
  const work = async () => {
    for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
      const known = knownWithin(seeds, bug);
      const search = (first: number, count: number) =>
        inChild(['--from', String(first), '--seeds', String(count), '--stop-at-first'], bug.name);
      // If the recorded seed no longer catches it, because the code changed, search all seeds.
      const quick = known ? await search(known, 1) : null;
      const { broken, seeds: needed } = quick?.broken.length ? quick : await search(1, seeds);
      if (broken.length === 0) missed += 1;
      console.log(
        `${bug.name}: ${broken[0] ? `caught by seed ${broken[0].seed}, ${broken[0].what}` : `MISSED in ${needed} seeds`}`,
      );
    }
  };
  await Promise.all([work(), work()]);
  console.log(`${bugs.length - missed} of ${bugs.length} planted bugs caught.`);
  return missed;
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    bugs: { type: 'boolean', default: false },
    /** With `bugs`: `otherBugs` instead of `plantedBugs`. */
    others: { type: 'boolean', default: false },
    /** With `bugs`: a fixed sample, every third of those that a seed in the range is known to catch. */
    sample: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
    'as-json': { type: 'boolean', default: false },
    'stop-at-first': { type: 'boolean', default: false },
  },
});

const started = performance.now();
const [from, count] = [Number(values.from), Number(values.seeds)];
if (values['as-json']) {
  const options = { isLoud: false, stopAtFirst: values['stop-at-first'] };
  console.log(JSON.stringify(await simulate(from, count, options)));
} else if (values.bugs) {
  const all = values.others ? otherBugs : plantedBugs;
  const known = all.filter((bug) => knownWithin(count, bug));
  const bugs = values.sample ? known.filter((_, index) => index % 3 === 0) : all;
  const mayMiss = values.others && !values.sample ? bugs.length - fewestOthers : 0;
  process.exitCode = (await catchBugs(count, bugs)) > mayMiss ? 1 : 0;
} else {
  const summary = values.seed
    ? await simulate(Number(values.seed), 1, { isLoud: true, stopAtFirst: true })
    : await simulateInParallel(from, count, Number(values.workers));
  printSummary(summary, (performance.now() - started) / 1000);
  if (!values.seed) {
    for (const [kind, seeds] of Object.entries(summary.struckIn).sort())
      console.log(`  ${kind.padEnd(32)} in ${seeds} seeds`);
    for (const [edge, times] of Object.entries(summary.edges).sort()) console.log(`  ${edge.padEnd(32)} ${times}`);
  }
  process.exitCode = summary.broken.length > 0 ? 1 : 0;
}
