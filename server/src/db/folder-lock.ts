import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * The embedded database takes no lock itself, and two processes on one folder lose committed rows. The kernel releases
 * a lock held by SQLite when its process dies, however it dies.
 */
export function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new Error(
      `The data folder ${folder} is in use by another portal process. Stop that one, or choose another folder with DATA_DIR.`,
    );
  }
  return () => lock.close();
}
