import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { GeocodeOutcome, Geocoder } from '../ports.ts';
import { google } from './google.ts';
import { nominatim } from './nominatim.ts';
import { photon } from './photon.ts';
import type { GeocoderName, GeocoderSettings } from './settings.ts';
import type { Area, GeocoderWire } from './wire.ts';

type CreateWire = (settings: GeocoderSettings, area: Area) => GeocoderWire;

const wires: Record<GeocoderName, CreateWire> = { nominatim, photon, google };
const withinMs = 4_000;
const cacheLimits = { entries: 500, forMs: 24 * 3_600_000 };

export function connectGeocoder(
  http: Pick<HttpClient, 'call'>,
  settings: GeocoderSettings,
  area: Area,
  now: () => number = Date.now,
): Geocoder {
  const wire = wires[settings.name](settings, area);
  const cache = new Map<string, { outcome: GeocodeOutcome; until: number }>();

  async function ask(url: string): Promise<GeocodeOutcome> {
    const earlier = cache.get(url);
    if (earlier && earlier.until > now()) return earlier.outcome;
    const answer = await http.call({ method: 'GET', url, headers: { 'user-agent': area.client }, withinMs });
    const outcome = outcomeOf(answer, wire);
    if (outcome.kind === 'unclear') return outcome;
    const [oldest] = cache.keys();
    if (cache.size >= cacheLimits.entries && oldest !== undefined) cache.delete(oldest);
    cache.set(url, { outcome, until: now() + cacheLimits.forMs });
    return outcome;
  }

  const languageOf = (locale: string) => locale.split('-')[0] ?? locale;
  return {
    find: (address, locale) => ask(wire.find(address, languageOf(locale))),
    nearest: (point, locale) => ask(wire.nearest(point, languageOf(locale))),
  };
}

function outcomeOf(answer: HttpAnswer, wire: GeocoderWire): GeocodeOutcome {
  if (answer.kind === 'silence') return { kind: 'unclear', detail: answer.detail };
  const places = wire.read(answer.status, answer.json);
  return places ? { kind: 'found', places } : { kind: 'unclear', detail: `HTTP ${answer.status}` };
}
