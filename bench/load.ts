import { readFileSync } from 'node:fs';
import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the server for one request. */
  cpuMs: number;
  failed: number;
}

export interface LoadOptions {
  url: string;
  connections: number;
  seconds: number;
  /** Whose processor time is counted. */
  pid: number;
  request: () => { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string };
}

const perTick = 10;

/** Processor time of a process so far, in milliseconds, all its threads together. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * perTick;
}

export function residentBytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** So many clients, each of which sends its next request when its last one was answered. */
export async function load({ url, connections, seconds, pid, request }: LoadOptions): Promise<LoadResult> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const times = createHistogram();
  let failed = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const cpuBefore = cpuMsOf(pid);
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const from = performance.now();
        const { statusCode, body } = await pool.request(request());
        await body.dump();
        if (statusCode !== 200) failed += 1;
        times.record(Math.max(1, Math.round((performance.now() - from) * 1000)));
      }
    }),
  );
  const took = (performance.now() - started) / 1000;
  const cpuMs = (cpuMsOf(pid) - cpuBefore) / times.count;
  await pool.close();
  return {
    perSecond: times.count / took,
    p50Ms: times.percentile(50) / 1000,
    p99Ms: times.percentile(99) / 1000,
    cpuMs,
    failed,
  };
}
