import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Refusal } from './progress.mjs';

/** What a backup says about itself, before what is in it. */
export interface BackupHeader {
  kind: 'embedded' | 'postgresql';
  createdAt: string;
  /** The migrations that its tables were made by. */
  migrations: string[];
  /** Rows in each table. */
  rows: Record<string, number>;
  bytes: number;
  sha256: string;
}

const magic = 'portal-backup 1\n';
const headerBytes = 16_384;

/** The header is written last, over room left for it: until then the file is no backup, whatever cuts the writing off. */
export async function writeBackup(
  file: string,
  header: Omit<BackupHeader, 'bytes' | 'sha256'>,
  content: Readable,
): Promise<BackupHeader> {
  const part = `${file}.part`;
  const handle = await open(part, 'w', 0o600);
  try {
    const hash = createHash('sha256');
    let position = headerBytes;
    for await (const chunk of content) {
      hash.update(chunk);
      await handle.write(chunk, 0, chunk.length, position);
      position += chunk.length;
    }
    const complete = { ...header, bytes: position - headerBytes, sha256: hash.digest('hex') };
    const text = magic + JSON.stringify(complete);
    if (Buffer.byteLength(text) > headerBytes) throw new Error('The description of the backup is too long.');
    await handle.write(Buffer.from(text.padEnd(headerBytes)), 0, headerBytes, 0);
    await handle.sync();
    await handle.close();
    await rename(part, file);
    return complete;
  } catch (error) {
    await handle.close();
    await rm(part, { force: true });
    throw error;
  }
}

/** The header of a backup that is whole; anything else is refused in words. */
export async function checkBackup(file: string): Promise<BackupHeader> {
  const header = await readHeader(file);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of backupContent(file)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  if (bytes !== header.bytes || hash.digest('hex') !== header.sha256)
    throw new Refusal(`${file} is damaged: its content does not fit its checksum. Nothing was changed.`);
  return header;
}

async function readHeader(file: string): Promise<BackupHeader> {
  const handle = await open(file, 'r').catch(() => {
    throw new Refusal(`There is no file ${file}.`);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    if (!text.startsWith(magic)) throw new Refusal(`${file} is not a backup of the portal.`);
    return JSON.parse(text.slice(magic.length)) as BackupHeader;
  } finally {
    await handle.close();
  }
}

export const backupContent = (file: string): Readable => createReadStream(file, { start: headerBytes });
