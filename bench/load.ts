import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureProgram } from '../scripts/debian.ts';

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
  /** The process whose processor time is measured. */
  pid: number;
  /** The body of the Lua function that wrk calls for each request; returns the request. */
  request: string;
}

const run = promisify(execFile);
const sentence = 'The benchmarks need wrk, which is not here: install it (Debian: apt-get install wrk).';
const msPerTick = 10;

/** Processor time of a process so far, over all its threads. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

export function residentBytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

const unitMs: Record<string, number> = { us: 0.001, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

const milliseconds = (text: string | undefined) => {
  const [, value = '', unit = ''] = /^([\d.]+)([a-z]+)$/.exec(text ?? '') ?? [];
  return Number(value) * (unitMs[unit] ?? Number.NaN);
};

/** Parses wrk's summary. */
export function readWrk(output: string): Omit<LoadResult, 'cpuMs'> & { count: number } {
  // Matches whole lines, because the averages contain percentages too. wrk appends a space to values in seconds.
  const percentile = (percent: number) => milliseconds(new RegExp(`^ +${percent}% +(\\S+) *$`, 'm').exec(output)?.[1]);
  const errors = [...(/Socket errors: (.*)/.exec(output)?.[1] ?? '').matchAll(/\d+/g)].map(([text]) => Number(text));
  return {
    count: Number(/(\d+) requests in/.exec(output)?.[1]),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    p50Ms: percentile(50),
    p99Ms: percentile(99),
    failed:
      Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0) + errors.reduce((sum, each) => sum + each, 0),
  };
}

/** A closed loop: each connection sends its next request after the last response. wrk itself uses hardly any CPU. */
export async function load({ url, connections, seconds, pid, request }: LoadOptions): Promise<LoadResult> {
  const wrk = await ensureProgram('wrk', 'wrk', sentence);
  const folder = await mkdtemp(join(tmpdir(), 'portal-load-'));
  const script = join(folder, 'requests.lua');
  // Seed each thread differently, or all would send the same requests.
  const seed = `function init(args) math.randomseed(os.time() + tonumber(tostring({}):match("0x(%x+)"), 16)) end`;
  await writeFile(script, `${seed}\nfunction request()\n${request}\nend\n`);
  const before = cpuMsOf(pid);
  const words = [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '--latency',
    '--timeout',
    '10s',
    '-s',
    script,
  ];
  const { stdout } = await run(wrk, [...words, url.replace('localhost', '127.0.0.1')]);
  const cpuMs = cpuMsOf(pid) - before;
  await rm(folder, { recursive: true, force: true });
  const { count, ...result } = readWrk(stdout);
  return { ...result, cpuMs: cpuMs / count };
}

/** The request for a page or a read-only call. */
export const reading = (path: string): string => `return wrk.format("GET", "${path}", { ["accept-encoding"] = "br" })`;
