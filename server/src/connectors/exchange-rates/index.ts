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
const keptMs = 60_000;

/** Rates of a service that speaks as Open Exchange Rates does: `latest.json`, a base, a time and a rate for each currency. */
export function exchangeRates(
  http: Pick<HttpClient, 'call'>,
  { url, key, maxAgeHours, plausible }: ExchangeSettings,
  now: () => number,
): ExchangeRates {
  const kept = new Map<string, { outcome: Promise<RateOutcome>; until: number }>();
  const maxAgeMs = maxAgeHours * 3_600_000;

  async function ask(from: string, to: string): Promise<RateOutcome> {
    const answer = await http.call({
      method: 'GET',
      url: `${url}/latest.json?${new URLSearchParams({ base: from, symbols: to })}`,
      // In a header: an address is written into logs on its way.
      headers: { authorization: `Token ${key}` },
      withinMs,
    });
    return readLatest(answer, { from, to, plausible, maxAgeMs, now: now() });
  }

  return {
    async rate(from, to) {
      const pair = `${from} ${to}`;
      const earlier = kept.get(pair);
      if (earlier && earlier.until > now()) return earlier.outcome;
      const outcome = ask(from, to);
      // Those who ask while it is being asked wait for the same answer; one that is no rate is not kept.
      kept.set(pair, { outcome, until: now() + keptMs });
      const { kind } = await outcome;
      if (kind !== 'rate' && kept.get(pair)?.outcome === outcome) kept.delete(pair);
      return outcome;
    },
  };
}
