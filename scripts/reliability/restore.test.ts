import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/src/db/database.ts';
import { tableDigests } from '../../server/src/db/stored-tables.ts';
import { Random } from '../../server/src/simulation/random.ts';
import { createPostgres } from '../../server/src/testing/database.ts';
import { type BackupSource, backUp } from '../backup.ts';
import { writeBackup } from '../backup-file.ts';
import { freePort } from '../free-port.ts';
import { restore } from '../restore.ts';
import { readBooks } from './compare-books.ts';
import { startCustomers } from './customers.ts';
import { passTime, type Site, startSite } from './site.ts';
import { judge } from './verdict.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function newDatabase(): Promise<string> {
  const { url, drop } = await createPostgres(process.env.TEST_POSTGRES_URL ?? '');
  undo.push(drop);
  return url;
}

async function digests(source: BackupSource, except: string[] = []) {
  const { db, close } = await openDatabase(source);
  return tableDigests(db, except).finally(close);
}

/** Columns that a portal updates whenever it polls. */
const marks = ['due_at', 'seen_at'];

async function siteOn(kind: string): Promise<{ site: Site; source: BackupSource; another: BackupSource }> {
  const url = kind === 'postgresql' ? await newDatabase() : undefined;
  const site = await startSite({ approveAfterMs: 2_500, ...(url ? { databaseUrl: url } : {}) });
  undo.push(() => site.stop());
  return {
    site,
    source: url ? { url } : { folder: join(site.folder, 'data') },
    another: url ? { url: await newDatabase() } : { folder: join(site.folder, 'another') },
  };
}

describe.each(['embedded', 'postgresql'])('on the %s database', (kind) => {
  test('REL-6 a backup taken during payments restores every row, and repeats no payment', async () => {
    const { site, source, another } = await siteOn(kind);
    const file = join(site.folder, 'backup');
    const port = await freePort();
    const url = `http://localhost:${port}`;
    let portal = await site.startPortal(port);
    undo.push(() => portal.stop());
    await site.callBackTo(url);
    const options = { url, random: new Random(8), customers: 10, walletMode: site.walletMode, leaves: 0.3 };
    const customers = startCustomers(options);
    await sleep(4_000);
    await customers.stop();
    if (kind === 'embedded') {
      // Only one process at a time may use the data folder.
      await expect(backUp(source, file)).rejects.toThrow('is in use by another portal process');
      await portal.kill();
    }
    const { rows } = await backUp(source, file);
    if (kind === 'embedded') {
      const before = await digests(source, marks);
      expect((await restore(another, file, { force: false })).header.rows).toEqual(rows);
      expect(await digests(another, marks)).toEqual(before);
      portal = await site.startPortal(port);
    }
    const inFlight = [...customers.payments.values()].filter(({ isFinal }) => !isFinal);
    expect(inFlight.length).toBeGreaterThan(3);

    // After the backup: payments in flight end, and open orders are paid.
    await customers.comeBack();
    for (const end = Date.now() + 25_000; (await customers.askAll()) > 0 && Date.now() < end; ) await sleep(500);
    await portal.stop();
    const later = await digests(source, marks);

    await expect(restore(source, file, { force: false })).rejects.toThrow('holds a portal');
    const damaged = join(site.folder, 'damaged');
    await cp(file, damaged);
    const bytes = await readFile(damaged);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9);
    await writeFile(damaged, bytes);
    await expect(restore(source, damaged, { force: true })).rejects.toThrow('is damaged');
    expect(await digests(source, marks)).toEqual(later);

    const { openPayments } = await restore(source, file, { force: true });
    expect(openPayments).toBeGreaterThan(3);
    expect(await digests(source, marks)).not.toEqual(later);
    portal = await site.startPortal(port);
    customers.startAnew();
    expect(await passTime(site, () => [portal], customers)).toBe(0);
    await portal.stop();
    const books = await readBooks(site.sandboxUrl);
    const { db, close } = await openDatabase(source);
    const { problems } = await judge(db, customers, books).finally(close);
    expect(problems.join('\n')).toBe('');
  });
});

test('REL-6 a restored PostgreSQL database is equal in every table, and a portal starts on it', async () => {
  const { site, source, another } = await siteOn('postgresql');
  const file = join(site.folder, 'backup');
  const port = await freePort();
  const portal = await site.startPortal(port);
  undo.push(() => portal.stop());
  await site.callBackTo(`http://localhost:${port}`);
  const { walletMode } = site;
  const random = new Random(9);
  const customers = startCustomers({ url: `http://localhost:${port}`, random, customers: 4, walletMode });
  await sleep(1_500);
  await customers.stop();
  await backUp(source, file);
  await expect(restore(source, file, { force: true })).rejects.toThrow('A portal is connected');
  await portal.stop();
  const { rows } = await backUp(source, file);
  expect(rows['public.payments']).toBeGreaterThan(0);
  await restore(another, file, { force: false });
  expect(await digests(another, marks)).toEqual(await digests(source, marks));

  const settings = 'url' in another ? { DATABASE_URL: another.url } : { DATA_DIR: another.folder };
  const restored = await site.startPortal(port, { env: settings });
  undo.push(() => restored.stop());
  expect(await customers.askAll()).toBeLessThanOrEqual(customers.payments.size);
  expect(customers.surprises).toEqual([]);
});

test('REL-6 a backup of a newer version and a file that is no backup are refused in words', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-restore-'));
  undo.push(() => rm(folder, { recursive: true }));
  const file = join(folder, 'backup');
  const createdAt = new Date().toISOString();
  const header = { kind: 'embedded' as const, createdAt, migrations: ['9001-later.sql'], rows: {} };
  await writeBackup(file, header, Readable.from([Buffer.from('content')]));
  await expect(restore({ folder }, file, { force: true })).rejects.toThrow('The backup is newer than this program');
  await writeFile(file, 'something else');
  await expect(restore({ folder }, file, { force: true })).rejects.toThrow('is not a backup of the portal');
});
