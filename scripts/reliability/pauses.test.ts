import { expect, test } from 'vitest';
import { createPostgres } from '../../server/src/testing/database.ts';
import { runPauses } from './pauses.ts';

test('REL-9 (quick form: one of each kind of call, clocks moved on; every gateway and 150 real seconds by npm run pauses) a process that is stopped right before a call sends nothing when it resumes', async () => {
  const newDatabase = () => createPostgres(process.env.TEST_POSTGRES_URL ?? '', { migrated: true });
  const { lines, problems } = await runPauses({ newDatabase, isQuick: true });
  expect(problems.join('\n')).toBe('');
  expect(lines).toHaveLength(4);
});
