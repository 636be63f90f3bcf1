import type { Stack } from '../scripts/stack.ts';
import { type LoadResult, load } from './load.ts';
import { orderFor, portalCalls } from './order.ts';
import { statusPayments } from './payment-rows.ts';
import { median } from './report.ts';

export interface Rate {
  connections: number;
  seconds: number;
}

/** Database alone and portal, measured right after each other. */
export interface Round {
  written: number;
  initiated: LoadResult;
  read: number;
  looked: LoadResult;
}

export const initiating = ({ url, pid }: Stack, rate: Rate): Promise<LoadResult> =>
  load({
    url,
    pid,
    ...rate,
    request: `
      local body = ${JSON.stringify(JSON.stringify(orderFor(0))).replaceAll('0390000000', '039000%04d')}
      local line = math.random(1000, 1499)
      local headers = {
        ["content-type"] = "application/json",
        ["idempotency-key"] = string.format("%08x%08x%08x", math.random(0, 2^31 - 1), math.random(0, 2^31 - 1), math.random(0, 2^31 - 1)),
      }
      return wrk.format("POST", "${portalCalls}/initiate", headers, string.format(body, line, line, line))`,
  });

export const statusLoad = ({ url, pid }: Stack, rate: Rate): Promise<LoadResult> =>
  load({
    url,
    pid,
    ...rate,
    request: `
      local letters = { ["0"] = "a", ["1"] = "b", ["2"] = "c", ["3"] = "d", ["4"] = "e", ["5"] = "f", ["6"] = "g", ["7"] = "h", ["8"] = "j", ["9"] = "k" }
      local id = tostring(math.random(1, ${statusPayments})):gsub("%d", letters)
      return wrk.format("GET", "${portalCalls}/status?tid=" .. string.rep("z", 26 - #id) .. id)`,
  });

/** Medians of the rounds: rate, rate of the database alone, ratio of both, latencies, processor time, failures. */
export function rowsOf(rounds: Round[]): (string | number)[][] {
  const row = (what: string, of: (round: Round) => LoadResult, base: (round: Round) => number) => {
    const all = rounds.map(of);
    return [
      what,
      median(all.map(({ perSecond }) => perSecond)),
      median(rounds.map(base)),
      median(rounds.map((round) => of(round).perSecond / base(round))),
      median(all.map(({ p50Ms }) => p50Ms)),
      median(all.map(({ p99Ms }) => p99Ms)),
      median(all.map(({ cpuMs }) => cpuMs)),
      all.reduce((sum, { failed }) => sum + failed, 0),
    ];
  };
  return [
    row(
      'initiate',
      ({ initiated }) => initiated,
      ({ written }) => written,
    ),
    row(
      'status',
      ({ looked }) => looked,
      ({ read }) => read,
    ),
  ];
}
