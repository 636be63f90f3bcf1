import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { root } from '../../scripts/source-files.ts';

const run = promisify(execFile);

test('SEC-29 a release has an SBOM and checksums and is reproducible; packages and images are pinned by digest @desktop', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-release-'));
  const releaseTo = (name: string) =>
    run(process.execPath, ['scripts/release.ts', '--draft', join(folder, name)], { cwd: root });
  await releaseTo('one');
  const files = (await readdir(join(folder, 'one'))).sort();
  expect(files).toEqual(['SHA256SUMS', ...['.cdx.json', '.md', '.tar.gz'].map((end) => expect.stringContaining(end))]);
  const [, bill = '', , archive = ''] = files;

  await test.step('the checksums match, and a second release of the same sources has the same archive', async () => {
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(folder, 'one') });
    await releaseTo('two');
    const archives = await Promise.all(['one', 'two'].map((name) => readFile(join(folder, name, archive))));
    expect(archives[0]?.equals(archives[1] as Buffer)).toBe(true);
  });

  await test.step('the archive contains what runs, and neither dependencies nor tests', async () => {
    const { stdout } = await run('tar', ['-tzf', join(folder, 'one', archive)], { maxBuffer: 16 * 1024 * 1024 });
    const names = stdout.split('\n');
    for (const name of ['server/src/main.ts', 'package-lock.json', 'ops/Containerfile']) expect(names).toContain(name);
    for (const built of ['web/dist/client/assets/', 'console/dist/assets/'])
      expect(names.some((name) => name.startsWith(built))).toBe(true);
    expect(names.filter((name) => /node_modules|\.test\.tsx?$/.test(name))).toEqual([]);
  });

  await test.step('the SBOM lists every package used at run time or by the build, with its hash', async () => {
    const { components } = JSON.parse(await readFile(join(folder, 'one', bill), 'utf8')) as {
      components: { name: string; purl: string; hashes?: unknown[] }[];
    };
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['fastify', 'react', 'pg']));
    const packages = components.filter(({ purl }) => !purl.startsWith('pkg:npm/%40portal/'));
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
  });

  await test.step('every package and image is pinned by digest', async () => {
    const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { link?: boolean; integrity?: string }>;
    };
    const fetched = Object.entries(packages).filter(([name, { link }]) => name.includes('node_modules/') && !link);
    expect(fetched.length).toBeGreaterThan(100);
    expect(fetched.filter(([, { integrity }]) => !integrity).map(([name]) => name)).toEqual([]);
    const container = await readFile(join(root, 'ops/Containerfile'), 'utf8');
    const bases = [...container.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(bases.length).toBeGreaterThan(0);
    // The builder must supply the digest.
    for (const base of bases) expect(base).toMatch(/@\$\{NODE_DIGEST\}$/);
    expect(container).toMatch(/^ARG NODE_DIGEST$/m);
  });
  await rm(folder, { recursive: true });
});
