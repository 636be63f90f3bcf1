import type { HttpClient } from '../http-client.ts';
import type { ExchangeRates, RateOutcome } from '../ports.ts';
import { readLatest } from './messages.ts';

export interface ExchangeSettings {
  url: string;
  key: string;
  maxAgeHours: number;
  plausible: { least: number; most: number };
}

const withinMs = 4_000;
const cacheMs = 60_000;

/** Rates from a service compatible with Open Exchange Rates: `latest.json`, a base, a time and a rate for each currency. */
export function exchangeRates(
  http: Pick<HttpClient, 'call'>,
  { url, key, maxAgeHours, plausible }: ExchangeSettings,
  now: () => number,
): ExchangeRates {
  const cache = new Map<string, { outcome: Promise<RateOutcome>; until: number }>();
  const maxAgeMs = maxAgeHours * 3_600_000;

  async function ask(from: string, to: string): Promise<RateOutcome> {
    const answer = await http.call({
      method: 'GET',
      url: `${url}/latest.json?${new URLSearchParams({ base: from, symbols: to })}`,
      // In a header, since URLs end up in logs.
      headers: { authorization: `Token ${key}` },
      withinMs,
    });
    return readLatest(answer, { from, to, plausible, maxAgeMs, now: now() });
  }

  return {
    async rate(from, to) {
      const pair = `${from} ${to}`;
      const earlier = cache.get(pair);
      if (earlier && earlier.until > now()) return earlier.outcome;
      const outcome = ask(from, to);
      // Concurrent callers share one request. A response that is not a rate is not cached.
      cache.set(pair, { outcome, until: now() + cacheMs });
      const { kind } = await outcome;
      if (kind !== 'rate' && cache.get(pair)?.outcome === outcome) cache.delete(pair);
      return outcome;
    },
  };
}
