import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const root = new URL('../..', import.meta.url);

/** As at a desk where no setting is known. */
async function say(...words: string[]): Promise<{ code: number; stderr: string }> {
  const env = { PATH: process.env.PATH, DATA_DIR: await mkdtemp(join(tmpdir(), 'portal-command-')) };
  return promisify(execFile)(process.execPath, ['server/src/command.ts', ...words], { cwd: root, env }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }) => ({ code, stderr }),
  );
}

describe('a command without the settings of a portal', () => {
  test.each([['review', 'list'], ['leads', 'export'], ['keys', 'show'], ['events']])(
    '%s %s does not call an empty database of its own calm',
    async (...words) => {
      const { code, stderr } = await say(...words);
      expect(code).toBe(1);
      expect(stderr).toContain('no portal has used the folder');
    },
  );

  test('says which are missing, and where it is told how to give them', async () => {
    const { code, stderr } = await say('reconcile', '2026-03-02');
    expect(code).toBe(1);
    expect(stderr).toMatch(/CHARGING_URL is not set.*docs\/operations\.md/);
  });
});
