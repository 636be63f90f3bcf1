import { describe, expect, test } from 'vitest';
import { createGazetteer, type GazetteerData } from './gazetteer.ts';

const data: GazetteerData = {
  bounds: { south: -26, west: 43, north: -11, east: 51 },
  countryNames: ['Ostland', 'Île d’Ost'],
  places: [
    {
      name: 'Toamasina',
      altNames: ['Tamatave'],
      kind: 'city',
      region: 'Atsina',
      district: 'Toama I',
      population: 300_000,
      postalCode: '501',
      lat: -18.15,
      lng: 49.4,
    },
    { name: 'Mahabo', kind: 'town', region: 'Menabe', postalCode: '617', population: 9_000, lat: -20.38, lng: 44.66 },
    { name: 'Mahabo', kind: 'town', region: 'Androy', population: 50_000, lat: -24.9, lng: 45.9 },
    { name: 'Mahaboka', kind: 'city', region: 'Androy', population: 900_000, lat: -24.5, lng: 45.8 },
    { name: 'Nosy Be', kind: 'suburb', region: 'Diana', lat: -13.4, lng: 48.27 },
    { name: 'Belo sur Mer', kind: 'locality', region: 'Menabe', lat: -20.73, lng: 44 },
    {
      name: 'Antsirabe',
      kind: 'city',
      region: 'Vakin',
      postalCode: '110',
      population: 250_000,
      lat: -19.87,
      lng: 47.03,
    },
    { name: 'Fianarantsoa', kind: 'city', region: 'Matsia', postalCode: '301', lat: -21.45, lng: 47.09 },
    { name: 'Ivo', kind: 'locality', region: 'Vakin', lat: -19.9, lng: 47.2 },
    { name: 'Farawayville', kind: 'city', region: 'Elsewhere', lat: 10, lng: 10 },
  ],
  districts: [
    { name: 'Toama I', region: 'Atsina', postalCode: '501', seat: 'Toamasina', lat: -18.1, lng: 49.3 },
    { name: 'Toama II', region: 'Atsina', postalCode: '502', seat: 'Toamasina', lat: -18.2, lng: 49.3 },
    { name: 'Antsirabe', region: 'Vakin', postalCode: '110', seat: 'Antsirabe', lat: -19.8, lng: 47 },
    { name: 'Seatless', region: 'Menabe', postalCode: '617', seat: 'Unlisted', lat: -20.3, lng: 44.6 },
    { name: 'Also Toama', region: 'Atsina', postalCode: '501', seat: 'Toamasina', lat: -18.3, lng: 49.2 },
  ],
  regions: [
    { name: 'Menabe', altNames: ['Sakalava'], lat: -20, lng: 44.9 },
    { name: 'Antsirabe', lat: -19, lng: 47 },
  ],
};
const { suggest, locate, nearest } = createGazetteer(data);
const labels = (query: string, most?: number) => suggest(query, most).map(({ label }) => label);
const first = (query: string) => labels(query)[0];

describe('what is being typed', () => {
  test('finds a place with its region and postal code, and where it lies', () => {
    expect(suggest('toamasina')).toEqual([
      { name: 'Toamasina', label: 'Toamasina, Atsina 501', lat: -18.15, lng: 49.4 },
    ]);
    expect(first('nosy be')).toBe('Nosy Be, Diana');
  });

  test('is found by another name, which is shown beside the current one', () => {
    expect(first('Tamatave')).toBe('Toamasina (Tamatave), Atsina 501');
    expect(suggest('Tamatave')[0]?.name).toBe('Toamasina');
    expect(first('tamat')).toBe('Toamasina (Tamatave), Atsina 501');
  });

  test('matches a prefix: two letters are enough, one is not', () => {
    expect(first('to')).toBe('Toamasina, Atsina 501');
    expect(labels('n')).toEqual([]);
    expect(labels('')).toEqual([]);
  });

  test('is found without the spaces, and as it sounds', () => {
    expect(first('nosybe')).toBe('Nosy Be, Diana');
    expect(first('touamassina')).toBe('Toamasina, Atsina 501');
  });

  test('is found by a later word of a name, from three letters on', () => {
    expect(first('mer')).toBe('Belo sur Mer, Menabe');
    expect(first('sur mer')).toBe('Belo sur Mer, Menabe');
    expect(labels('me')).toEqual(['Menabe']);
    expect(labels('be')).toEqual(['Belo sur Mer, Menabe']);
  });

  test('may have as many typos as its length allows', () => {
    expect(first('antsrabe')).toBe('Antsirabe, Vakin 110');
    expect(first('fianaranstao')).toBe('Fianarantsoa, Matsia 301');
    expect(first('nsybe')).toBe('Nosy Be, Diana');
    // Names of three letters are too similar.
    expect(labels('ivu')).toEqual([]);
    expect(first('ivo')).toBe('Ivo, Vakin');
    // Two errors are too many for six letters, and not for eight.
    expect(labels('nxxybe')).toEqual([]);
    expect(first('mahxbxka')).toBe('Mahaboka, Androy');
  });

  test('may have one typo in four letters, three in twelve', () => {
    const one = (name: string) =>
      createGazetteer({ ...data, places: [{ name, kind: 'town', region: 'R', lat: -20, lng: 45 }] });
    expect(one('Tulx').suggest('tule')).toHaveLength(1);
    expect(one('Abcdefg').suggest('xbcdexg')).toHaveLength(1);
    expect(one('Abcdefghijk').suggest('xbcdxfghixk')).toHaveLength(0);
    expect(one('Abcdefghijkl').suggest('xbcdxfghixkl')).toHaveLength(1);
  });

  test('ranks fewer typos before more, and an exact name before both', () => {
    const named = (...names: string[]) =>
      createGazetteer({
        ...data,
        places: names.map((name, index) => ({
          name,
          kind: 'town' as const,
          region: 'R',
          population: 10 ** (6 - index),
          lat: -20,
          lng: 45,
        })),
      });
    const found = (query: string, ...names: string[]) =>
      named(...names)
        .suggest(query)
        .map(({ name }) => name);
    expect(found('abcdefgh', 'Abxxefgh', 'Abxdefgh')).toEqual(['Abxdefgh', 'Abxxefgh']);
    expect(found('abcdefghijkl', 'Xxxdefghijkl', 'Xxcdefghijkl')).toEqual(['Xxcdefghijkl', 'Xxxdefghijkl']);
    expect(found('abcdefgh', 'Abxdefgh', 'Abcdefgh')).toEqual(['Abcdefgh']);
    expect(found('kamba', 'Kamba ville', 'Kamba')).toEqual(['Kamba', 'Kamba ville']);
    expect(found('touly', 'Touly sur Mer', 'Toli')).toEqual(['Toli', 'Touly sur Mer']);
  });

  test('may have a typo in a long prefix', () => {
    expect(first('fianaxants')).toBe('Fianarantsoa, Matsia 301');
    expect(labels('fianax')).toEqual([]);
  });

  test('ranks an exact name before a prefix, even of a larger place', () => {
    expect(labels('mahabo')).toEqual(['Mahabo, Androy', 'Mahabo, Menabe 617', 'Mahaboka, Androy']);
    expect(labels('mahab')[0]).toBe('Mahaboka, Androy');
  });

  test('shows the larger of two namesakes first, and the one in the region that is named before it', () => {
    expect(first('mahabo')).toBe('Mahabo, Androy');
    for (const query of [
      'mahabo menabe',
      'Mahabo, Menabe',
      'mahabo 617',
      '617 mahabo',
      'Mahabo, Menabe 617',
      'mahabo menabe ostland',
    ])
      expect(first(query), query).toBe('Mahabo, Menabe 617');
  });

  test('may be one of our own labels, and may include the country', () => {
    expect(first('Toamasina (Tamatave), Atsina 501')).toBe('Toamasina, Atsina 501');
    expect(first('Antsirabe, Ostland')).toBe('Antsirabe, Vakin 110');
    expect(first('antsirabe ostland')).toBe('Antsirabe, Vakin 110');
  });

  test('finds a region or district without a place of that name', () => {
    expect(suggest('menabe')).toEqual([{ name: 'Menabe', label: 'Menabe', lat: -20, lng: 44.9 }]);
    expect(first('sakalava')).toBe('Menabe (Sakalava)');
    expect(suggest('seatless')).toEqual([{ name: 'Seatless', label: 'Seatless, Menabe 617', lat: -20.3, lng: 44.6 }]);
    expect(first('seatless menabe')).toBe('Seatless, Menabe 617');
    expect(labels('antsirabe')).toEqual(['Antsirabe, Vakin 110']);
  });

  test('finds nothing outside the bounds', () => {
    expect(labels('farawayville')).toEqual([]);
  });

  test('returns at most the requested number', () => {
    expect(labels('mahabo', 2)).toEqual(['Mahabo, Androy', 'Mahabo, Menabe 617']);
    const many = Array.from({ length: 20 }, (_, index) => ({
      name: `Ville ${index}`,
      kind: 'town' as const,
      region: 'Menabe',
      lat: -20,
      lng: 44,
    }));
    expect(createGazetteer({ ...data, places: many }).suggest('ville')).toHaveLength(8);
  });

  test('shows equal labels once', () => {
    const twice = createGazetteer({ ...data, places: [...data.places, ...data.places] });
    expect(twice.suggest('nosy be').map(({ label }) => label)).toEqual(['Nosy Be, Diana']);
  });
});

describe('a postal code', () => {
  test('finds the seats of the districts with this prefix, in the order of their codes, each once', () => {
    expect(labels('50')).toEqual(['Toamasina, Atsina 501', 'Toamasina, Atsina 502']);
    expect(labels('50', 1)).toEqual(['Toamasina, Atsina 501']);
    expect(suggest('110')).toEqual([{ name: 'Antsirabe', label: 'Antsirabe, Vakin 110', lat: -19.8, lng: 47 }]);
    expect(labels('617')).toEqual(['Unlisted, Menabe 617']);
    expect(labels('999')).toEqual([]);
  });

  test('is sorted by code whatever the order of districts', () => {
    const turned = createGazetteer({ ...data, districts: [...data.districts].reverse() });
    expect(turned.suggest('50').map(({ label }) => label)).toEqual(['Toamasina, Atsina 501', 'Toamasina, Atsina 502']);
  });

  test('locates only when it is complete', () => {
    expect(locate('501')?.label).toBe('Toamasina, Atsina 501');
    expect(locate('50')).toBeNull();
    expect(locate('01')).toBeNull();
  });
});

describe('an address', () => {
  test.each([
    ['Toamasina', 'Toamasina, Atsina 501'],
    ['Lot II M 23, Nosy Be', 'Nosy Be, Diana'],
    ['12 rue du Port, Tamatave, Ostland', 'Toamasina (Tamatave), Atsina 501'],
    ['near Antsirabe market, Toamasina', 'Toamasina, Atsina 501'],
    ['BP 14, 110', 'Antsirabe, Vakin 110'],
    ['by the church, belo sur mer', 'Belo sur Mer, Menabe'],
    ['house 3, nosybe', 'Nosy Be, Diana'],
    ['house 3, Mahabo 617', 'Mahabo, Menabe 617'],
    ['the well of Mahabo in Androy', 'Mahabo, Androy'],
    ['Nosy Be', 'Nosy Be, Diana'],
    ['Belo sur Mer by the sea, third house', 'Belo sur Mer, Menabe'],
    ['Antsirbe', 'Antsirabe, Vakin 110'],
    ['Mahabo, Menabe 617', 'Mahabo, Menabe 617'],
    ['Mahabo, somewhere in Menabe', 'Mahabo, Menabe 617'],
  ])('%j is in %s', (address, label) => {
    expect(locate(address)?.label).toBe(label);
  });

  test.each(['', 'x', '!!!', 'Paris, France', 'BP 14, 999', 'rue du Port', 'Ostland'])('%j is nowhere', (address) => {
    expect(locate(address)).toBeNull();
  });
});

describe('the nearest place', () => {
  test('is named with its distance', () => {
    const found = nearest({ lat: -18.2, lng: 49.4 });
    expect(found?.place).toEqual({ name: 'Toamasina', label: 'Toamasina, Atsina 501', lat: -18.15, lng: 49.4 });
    expect(found?.kilometres).toBeCloseTo(5.56, 1);
    expect(nearest({ lat: -19.9, lng: 47.19 })?.place.name).toBe('Ivo');
  });

  test('is the first of two that are equally near', () => {
    const twins = ['One', 'Two'].map((name) => ({ name, kind: 'town' as const, region: 'R', lat: -20, lng: 45 }));
    expect(createGazetteer({ ...data, places: twins }).nearest({ lat: -20, lng: 45 })?.place.name).toBe('One');
  });

  test('is null without known places', () => {
    expect(createGazetteer({ ...data, places: [] }).nearest({ lat: 0, lng: 0 })).toBeNull();
  });
});
