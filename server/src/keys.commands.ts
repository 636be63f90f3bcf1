import type { Kysely } from 'kysely';
import { personalData } from './db/personal-data.ts';
import { countByKey, otherKeysInUse, reseal } from './db/reseal.ts';
import type { Schema } from './db/schema.ts';

export const keysUsage = [
  'npm run keys -- show                               how many values are under each key of PERSONAL_DATA_KEYS',
  'npm run keys -- rotate                             seals everything under the first of them, beside running portals',
].join('\n');

/** A line of progress for so many rows. */
const reportEvery = 10_000;

/** Returns the exit code: 0 done, 1 refused, 2 usage error. */
export async function runKeysCommand(
  [verb]: string[],
  db: Kysely<Schema>,
  print: (line: string) => void,
): Promise<number> {
  if (verb === 'show') return show(db, print);
  if (verb === 'rotate') return rotate(db, print);
  for (const line of keysUsage.split('\n')) print(line);
  return 2;
}

async function show(db: Kysely<Schema>, print: (line: string) => void): Promise<number> {
  const { keyIds, writingKey } = personalData(db);
  print(`Keys: ${keyIds.join(', ')}; ${writingKey} writes.`);
  const counts = await countByKey(db);
  for (const { table, key, values } of counts) print(`${String(values).padStart(12)}  ${table}  ${key}`);
  if (counts.length === 0) print('Nothing is stored yet.');
  return 0;
}

async function rotate(db: Kysely<Schema>, print: (line: string) => void): Promise<number> {
  const { writingKey } = personalData(db);
  const writers = await otherKeysInUse(db);
  if (writers.length > 0) {
    print(
      `A portal still writes under ${writers.join(', ')}: restart all of them with ${writingKey} first in PERSONAL_DATA_KEYS, wait half a minute, then try again.`,
    );
    return 1;
  }
  let reported = 0;
  const { rows, unreadable } = await reseal(db, {
    onProgress(table, done) {
      if (done > reported && done - reported < reportEvery) return;
      reported = done;
      print(`${table}: ${done} rows`);
    },
  });
  if (unreadable > 0) {
    print(
      `${unreadable} rows open with no key that is configured and stay as they are; the other keys are still needed.`,
    );
    return 1;
  }
  print(`${rows} rows were sealed anew. Everything is under ${writingKey}: other keys can be taken out.`);
  return 0;
}
