import { parentPort } from 'node:worker_threads';
import { startWork } from '../../domain/challenge/proof-of-work.ts';

/** Solves challenges in a worker thread. */
parentPort?.on('message', ({ id, salt, bits }: { id: number; salt: string; bits: number }) => {
  const work = startWork(salt, bits);
  let solution: string | null = null;
  while (!solution) solution = work.go(65_536);
  parentPort?.postMessage({ id, solution });
});
