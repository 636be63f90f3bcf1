import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { faultNames } from './fault-plan.ts';
import { plantedBugs } from './planted-bugs.ts';
import { openSimulationDatabase } from './simulation-database.ts';
import { runSeed } from './world.ts';

const run = promisify(execFile);
const simulate = async (...words: string[]) => {
  const command = new URL('./simulate.ts', import.meta.url).pathname;
  const ended = await run(process.execPath, [command, ...words], { maxBuffer: 16 * 1024 * 1024 }).catch(
    (error: { stdout: string; code: number }) => error,
  );
  return { text: ended.stdout, isFine: !('code' in ended) };
};

test('REL-1 1,000 seeds of the real payment code, every kind of fault, no promise broken', async () => {
  const { text, isFine } = await simulate('--seeds', '1000');
  expect(text).toContain('No promise was broken.');
  expect(text).toMatch(new RegExp(`^1000 seeds, .* of ${faultNames.length} kinds`));
  expect(text).not.toContain('Never struck');
  expect(isFine).toBe(true);
});

test('REL-1 every planted bug is caught', async () => {
  expect(plantedBugs.length).toBeGreaterThanOrEqual(12);
  const { text, isFine } = await simulate('--bugs', '--seeds', '600');
  expect(text).toContain(`${plantedBugs.length} of ${plantedBugs.length} planted bugs caught.`);
  expect(isFine).toBe(true);
});

test('REL-1 a seed can be replayed: it lives the same life again', async () => {
  const lives = [];
  const database = await openSimulationDatabase();
  for (const seed of [7, 64, 7]) {
    const lines: string[] = [];
    const report = await runSeed(seed, database, (line) => lines.push(line));
    lives.push({ lines, steps: report.steps, fired: report.fired });
  }
  await database.close();
  expect(lives[2]).toEqual(lives[0]);
  expect(lives[1]).not.toEqual(lives[0]);
  expect(lives[0]?.lines.length).toBeGreaterThan(2);
});
