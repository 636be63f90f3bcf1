import { chunkTimeoutMilliseconds } from '@portal/domain/chunk-timeout.ts';

class ChunkLoadError extends Error {
  constructor() {
    super('The page took too long to load.');
    this.name = 'ChunkLoadError';
  }
}

export function withTimeout<T>(work: Promise<T>, limitMs = chunkTimeoutMilliseconds): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
