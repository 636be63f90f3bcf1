import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageNames, readPackage } from '../operators/content.ts';
import { loadPack } from '../operators/load-pack.ts';
import { newOperator } from './operator-new.ts';
import { capture } from './progress.mjs';
import { root } from './source-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'operator-new-'));
const run = (...words: string[]) =>
  capture(process.execPath, [join(root, 'scripts/operator-new.ts'), ...words], { cwd: root });

let files: string[];
beforeAll(async () => {
  files = await newOperator({ code: 'ke', brand: 'Kijani Süd', folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('D9 a new operator', () => {
  test('is a folder that passes the checks of every pack, under its own brand', async () => {
    const pack = await loadPack('ke', folder);
    expect(pack).toMatchObject({
      code: 'ke',
      brand: { name: 'Kijani Süd', slug: 'kijanisud' },
      country: { name: 'kenya', iso: 'KE' },
    });
    expect(pack.methods.find(({ type }) => type === 'AM')).toMatchObject({
      mode: 'KIJANISUD_MONEY',
      route: 'kijanisud-money',
    });
    expect(files.every((file) => file.startsWith(join(folder, 'ke')))).toBe(true);
    expect(packageNames('ke', 'EN')).toEqual(expect.arrayContaining(['header', 'footer', 'contact-us', 'translation']));
    expect(JSON.stringify(readPackage('ke', 'EN', 'footer'))).not.toMatch(/fanilo/i);
  });

  test('copies no texts that are specific to another country, and may have an empty catalogue', async () => {
    const made = await newOperator({ code: 'zm', folder, isEmpty: true });
    expect((await loadPack('zm', folder)).catalogue).toEqual([]);
    expect(made.filter((file) => file.endsWith('/translation.json'))).toEqual([]);
  });

  test('is formatted', async () => {
    const made = [
      ...(await newOperator({ code: 'rw', folder })),
      ...(await newOperator({ code: 'bi', folder, isEmpty: true })),
    ];
    for (const file of made.filter((one) => one.endsWith('.ts'))) {
      const source = readFileSync(file, 'utf8');
      const words = ['format', '--stdin-file-path=pack.ts'];
      const formatted = execFileSync(join(root, 'node_modules/.bin/biome'), words, { cwd: root, input: source });
      expect(source).toBe(formatted.toString());
    }
  });

  test.each([
    ['KE', 'is no code for an operator'],
    ['k', 'is no code for an operator'],
    ['../x', 'is no code for an operator'],
    ['mg', 'There is an operator "mg" already: nothing was changed.'],
    ['ke', 'There is an operator "ke" already: nothing was changed.'],
  ])('%s is refused in words', async (code, words) => {
    await expect(newOperator({ code, folder })).rejects.toThrow(words);
  });

  test('the command lists what it created and what to edit next, and refuses invalid input', async () => {
    const made = await run('tz', '--brand', 'Taa', '--in', folder);
    expect(made.code, made.output).toBe(0);
    for (const words of ['tz/pack.ts', `OPERATORS_DIR=${folder} OPERATOR=tz npm start`, 'catalogue.ts', 'What to edit'])
      expect(made.output).toContain(words);
    for (const words of [[], ['a', 'b'], ['toolong']]) {
      const refused = await run(...words);
      expect(refused.code).not.toBe(0);
      expect(refused.output).toContain('npm run operator:new -- ke');
      expect(refused.output).not.toMatch(/at .*\.ts:\d+/);
    }
  });

  test('with its content missing is refused with the file’s name', async () => {
    await newOperator({ code: 'ug', folder });
    const content = join(folder, 'ug/content/en');
    writeFileSync(join(content, 'loader-translation.json'), JSON.stringify({ wait: 'x', holdOn: 'x' }));
    unlinkSync(join(content, 'footer.json'));
    await expect(loadPack('ug', folder)).rejects.toThrow(
      `The operator pack "ug" cannot be used: ${content}/footer.json is missing; ${content}/loader-translation.json misses "loadingMessage".`,
    );
  });
});
