import { type Bounds, distanceKilometres, isInside, type Point } from './geo.ts';
import { editDistance, foldName, likeSound, prefixDistance } from './place-name-match.ts';

export interface GazetteerPlace extends Point {
  name: string;
  altNames?: readonly string[];
  kind: 'city' | 'town' | 'suburb' | 'locality';
  region: string;
  district?: string;
  population?: number;
  postalCode?: string;
}

export interface GazetteerDistrict extends Point {
  name: string;
  region: string;
  postalCode: string;
  seat: string;
}

export interface GazetteerRegion extends Point {
  name: string;
  altNames?: readonly string[];
}

export interface GazetteerData {
  places: readonly GazetteerPlace[];
  districts: readonly GazetteerDistrict[];
  regions: readonly GazetteerRegion[];
  bounds: Bounds;
  /** The country's own names, which people add to an address. */
  countryNames: readonly string[];
}

export interface FoundPlace extends Point {
  name: string;
  label: string;
}

interface Key {
  text: string;
  name: string;
  sound: string;
  compact: string;
  /** A bitmap of the letters in the phonetic form: rules out most names without computing an edit distance. */
  letters: number;
}

interface Entry {
  found: FoundPlace;
  keys: Key[];
  /** Normalised names of the regions it is in, and its postal code. */
  within: string[];
  weight: number;
}

interface Ranked {
  entry: Entry;
  grade: number;
  key: Key;
}

export interface Gazetteer {
  /** Best first. Matches prefixes, for typing. */
  suggest(query: string, most?: number): FoundPlace[];
  /** The place of an address, found in the whole text or any part of it. */
  locate(address: string): FoundPlace | null;
  nearest(point: Point): { place: FoundPlace; kilometres: number } | null;
}

/** Ranking of match kinds. Within one kind the larger place comes first. */
const grades = { exact: 100, compact: 97, sound: 94, beginning: 85, oneError: 75, word: 70, moreErrors: 60, begun: 50 };
const kindWeight: Record<GazetteerPlace['kind'], number> = { city: 3, town: 1.5, suburb: 0.7, locality: 0 };
const withinBonus = 4;

/** Maximum typos in a long name. Short names allow fewer, because they are too similar. */
const mostForgiven = 3;
const forgiven = (length: number) => (length < 4 ? 0 : length < 7 ? 1 : length < 12 ? 2 : mostForgiven);
/** Maximum ways to split a text into a name and its region. */
const mostWays = 3;
/** Words of an address that are searched, from its end. */
const wordsOfAddress = 16;

export function createGazetteer(data: GazetteerData): Gazetteer {
  const entries = entriesOf(data);
  const known = new Set(entries.flatMap(({ within }) => within));
  const country = data.countryNames.map(foldName);
  const bySound = Map.groupBy(
    entries.flatMap((entry) => entry.keys.map(({ sound }) => ({ sound, entry }))),
    ({ sound }) => sound,
  );
  const longestSound = Math.max(...[...bySound.keys()].map(({ length }) => length));

  function ranked(name: string, within: readonly string[], forgiving: boolean): Ranked[] {
    const wanted = keyOf(name);
    // A text much longer than all names cannot match, and comparing it would be the most expensive.
    if (wanted.text === '' || wanted.sound.length > longestSound + mostForgiven) return [];
    return rankedAmong(entries, wanted, within, forgiving);
  }

  function rankedAmong(among: readonly Entry[], wanted: Key, within: readonly string[], forgiving: boolean): Ranked[] {
    const found = among.flatMap((entry) => {
      const best = bestKey(entry.keys, wanted, forgiving);
      if (!best) return [];
      const bonus = within.filter((each) => entry.within.includes(each)).length * withinBonus;
      return [{ entry, key: best.key, grade: best.grade + bonus }];
    });
    return found.sort((one, other) => other.grade - one.grade || other.entry.weight - one.entry.weight);
  }

  /** Splits "Mahabo Menabe" or "Toamasina 501" into the name and the words for its region. */
  function split(text: string): { name: string; within: string[] }[] {
    // Our own labels may come back from a shared URL: "Toamasina (Tamatave), Atsinanana 501".
    const parts = text
      .replace(/\([^)]*\)/g, ' ')
      .split(',')
      .map(foldName)
      .filter(Boolean);
    const words = parts.flatMap((part) => part.split(' ')).filter((word) => !country.includes(word));
    const whole = { name: words.join(' '), within: [] as string[] };
    const after = parts
      .slice(1)
      .flatMap((part) => [part, part.replace(/ \d+$/, ''), part.replace(/^.* /, '')])
      .filter((part, index, all) => known.has(part) && all.indexOf(part) === index);
    const byComma = after.length > 0 ? [{ name: parts[0] ?? '', within: after }] : [];
    const byWords = words.slice(1).flatMap((_, index) => {
      const rest = words.slice(index + 1).join(' ');
      return known.has(rest) ? [{ name: words.slice(0, index + 1).join(' '), within: [rest] }] : [];
    });
    const [first = '', ...rest] = words;
    const byCode = /^\d+$/.test(first) && known.has(first) ? [{ name: rest.join(' '), within: [first] }] : [];
    return [whole, ...byComma, ...byWords, ...byCode];
  }

  /** Searches with typos only if nothing matches exactly, because that is by far the most expensive part. */
  function search(text: string): Ranked[] {
    const ways = split(text).slice(0, mostWays);
    const best = (forgiving: boolean) =>
      ways
        // Postal codes are not matched with typos.
        .filter(({ name }) => !forgiving || /\p{L}/u.test(name))
        .map(({ name, within }) => ranked(name, within, forgiving))
        .reduce((most, list) => ((list[0]?.grade ?? 0) > (most[0]?.grade ?? 0) ? list : most), []);
    const spelt = best(false);
    return (spelt[0]?.grade ?? 0) >= grades.beginning - 1 ? spelt : best(true);
  }

  const shown = ({ entry, key }: Ranked): FoundPlace =>
    key.name === entry.found.name
      ? entry.found
      : { ...entry.found, label: entry.found.label.replace(entry.found.name, `${entry.found.name} (${key.name})`) };

  return {
    suggest(query, most = 8) {
      const code = foldName(query);
      if (/^\d+$/.test(code)) return byCode(data, code).slice(0, most);
      const seen = new Set<string>();
      return search(query)
        .map(shown)
        .filter(({ label }) => !seen.has(label) && seen.add(label))
        .slice(0, most);
    },

    locate(address) {
      const code = foldName(address);
      if (/^\d+$/.test(code)) return byCode(data, code).find(({ label }) => label.endsWith(` ${code}`)) ?? null;
      const [whole] = search(address);
      if (whole && whole.grade > grades.begun + withinBonus) return shown(whole);
      return insideAddress(address);
    },

    nearest(point) {
      let best: { place: GazetteerPlace; kilometres: number } | null = null;
      for (const place of data.places) {
        const kilometres = distanceKilometres(point, place);
        if (!best || kilometres < best.kilometres) best = { place, kilometres };
      }
      return best && { place: placeFound(best.place), kilometres: best.kilometres };
    },
  };

  /** The longest run of words that is a place name, the last one first, because an address ends with its town. */
  function insideAddress(address: string): FoundPlace | null {
    const words = foldName(address)
      .split(' ')
      .filter((word) => !country.includes(word))
      .slice(-wordsOfAddress);
    for (let length = Math.min(4, words.length); length > 0; length -= 1) {
      for (let start = words.length - length; start >= 0; start -= 1) {
        const wanted = keyOf(words.slice(start, start + length).join(' '));
        // An exact lookup: only names with the same spelling or sound count here.
        const alike = (bySound.get(wanted.sound) ?? []).map(({ entry }) => entry);
        const [first] = rankedAmong([...new Set(alike)], wanted, words, false);
        if (first && first.grade >= grades.compact) return shown(first);
      }
    }
    const code = words.find((word) => /^\d+$/.test(word) && known.has(word));
    return code ? (byCode(data, code)[0] ?? null) : null;
  }
}

function keyOf(name: string): Key {
  const text = foldName(name);
  const compact = text.replaceAll(' ', '');
  const sound = likeSound(compact);
  return { name, text, compact, sound, letters: lettersOf(sound) };
}

function lettersOf(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) letters |= 1 << (text.charCodeAt(index) & 31);
  return letters;
}

function bitsIn(letters: number): number {
  let bits = 0;
  for (let left = letters; left !== 0; left &= left - 1) bits += 1;
  return bits;
}

function bestKey(keys: readonly Key[], wanted: Key, forgiving: boolean): { key: Key; grade: number } | null {
  let best: { key: Key; grade: number } | null = null;
  for (const [index, key] of keys.entries()) {
    // Of two equal matches the current name comes first.
    const grade = gradeOf(key, wanted, forgiving) - Math.min(index, 1) * 0.5;
    if (grade > 0 && grade > (best?.grade ?? 0)) best = { key, grade };
  }
  return best;
}

function gradeOf(key: Key, wanted: Key, forgiving: boolean): number {
  if (key.text === wanted.text) return grades.exact;
  if (key.compact === wanted.compact) return grades.compact;
  if (key.sound === wanted.sound) return grades.sound;
  if (wanted.text.length >= 2 && key.text.startsWith(wanted.text)) return grades.beginning;
  const allowed = forgiving ? forgiven(wanted.compact.length) : 0;
  // A typo adds at most one letter and removes one.
  const isNear = allowed > 0 && bitsIn(wanted.letters ^ key.letters) <= 2 * allowed;
  const errors = isNear ? editDistance(wanted.sound, key.sound, allowed) : Number.POSITIVE_INFINITY;
  if (errors === 1) return grades.oneError;
  if (wanted.text.length >= 3 && key.text.includes(` ${wanted.text}`)) return grades.word;
  if (errors <= allowed) return grades.moreErrors - errors;
  if (forgiving && wanted.sound.length >= 7 && bitsIn(wanted.letters & ~key.letters) <= 1) {
    const begun = prefixDistance(wanted.sound, key.sound, 1);
    if (begun <= 1) return grades.begun;
  }
  return 0;
}

const labelOf = (name: string, region: string, code: string | undefined): string =>
  `${name}, ${region}${code ? ` ${code}` : ''}`;

function placeFound({ name, region, postalCode, lat, lng }: GazetteerPlace): FoundPlace {
  return { name, label: labelOf(name, region, postalCode), lat, lng };
}

function entriesOf({ places, districts, regions, bounds }: GazetteerData): Entry[] {
  const named = places
    .filter((place) => isInside(place, bounds))
    .map((place): Entry => {
      const { kind, population = 0, region, district, postalCode, altNames = [] } = place;
      return {
        found: placeFound(place),
        keys: [place.name, ...altNames].map(keyOf),
        within: [region, district, postalCode].flatMap((each) => (each ? [foldName(each)] : [])),
        weight: Math.log10(population + 1) + kindWeight[kind],
      };
    });
  const seats = new Set(places.flatMap(({ name, altNames = [] }) => [name, ...altNames].map(foldName)));
  const districtsOnly = districts
    .filter(({ name }) => !seats.has(foldName(name)))
    .map(({ name, region, postalCode, lat, lng }): Entry => {
      const found = { name, label: labelOf(name, region, postalCode), lat, lng };
      return { found, keys: [keyOf(name)], within: [foldName(region), postalCode], weight: 2 };
    });
  const regionsOnly = regions
    .filter(({ name }) => !seats.has(foldName(name)))
    .map(({ name, altNames = [], lat, lng }): Entry => {
      return { found: { name, label: name, lat, lng }, keys: [name, ...altNames].map(keyOf), within: [], weight: 3 };
    });
  return [...named, ...districtsOnly, ...regionsOnly];
}

/** A postal code stands for the seat of its district. Several districts may share one. */
function byCode({ districts, places }: GazetteerData, code: string): FoundPlace[] {
  const labels = new Set<string>();
  return districts
    .filter(({ postalCode }) => postalCode.startsWith(code))
    .sort((one, other) => one.postalCode.localeCompare(other.postalCode))
    .map(({ seat, region, postalCode, lat, lng }) => {
      const name = places.find((place) => place.name === seat)?.name ?? seat;
      return { name, label: labelOf(name, region, postalCode), lat, lng };
    })
    .filter(({ label }) => !labels.has(label) && labels.add(label));
}
