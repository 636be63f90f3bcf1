import { readRate } from '@portal/domain/exchange.ts';
import { z } from 'zod';
import type { HttpAnswer } from '../http-client.ts';
import type { RateOutcome } from '../ports.ts';

const latest = z.object({
  /** Unix time: when the rates were set. */
  timestamp: z.int().positive(),
  base: z.string(),
  rates: z.record(z.string(), z.unknown()),
});

export interface AskedRate {
  from: string;
  to: string;
  plausible: { least: number; most: number };
  maxAgeMs: number;
  now: number;
}

/** A time further in the future than this is wrong, and so may the rate be. */
const aheadMs = 5 * 60_000;

/** Prices depend on this number, so anything that is not clearly a current rate is rejected. */
export function readLatest(answer: HttpAnswer, asked: AskedRate): RateOutcome {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const parsed = answer.status === 200 ? latest.safeParse(answer.json) : null;
  if (!parsed?.success) return { kind: 'unclear', detail: `HTTP ${answer.status}` };
  const { timestamp, base, rates } = parsed.data;
  if (base !== asked.from) return { kind: 'unclear', detail: 'rates of another currency' };
  const value = readRate(Object.hasOwn(rates, asked.to) ? rates[asked.to] : undefined);
  if (value === null) return { kind: 'unclear', detail: 'no rate' };
  const { least, most } = asked.plausible;
  if (Number(value) < least || Number(value) > most)
    return { kind: 'unclear', detail: `a rate of ${value}, outside ${least} to ${most}` };
  const age = asked.now - timestamp * 1000;
  if (age > asked.maxAgeMs || age < -aheadMs)
    return { kind: 'unclear', detail: `a rate of ${new Date(timestamp * 1000).toISOString()}` };
  return {
    kind: 'rate',
    rate: { from: asked.from, to: asked.to, value, at: new Date(timestamp * 1000).toISOString() },
  };
}
