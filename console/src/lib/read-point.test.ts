import { expect, test } from 'vitest';
import { readPoint } from './read-point.ts';

const shop = { lat: -18.8792, lng: 47.5079 };

test.each([
  ['-18.8792, 47.5079', 'a pair'],
  ['-18.8792 47.5079', 'a pair with a space'],
  ['(-18.8792; 47.5079)', 'a pair in brackets'],
  ['-18,8792; 47,5079', 'decimal commas'],
  ['-18,8792, 47,5079', 'decimal commas and a comma between'],
  ['−18.8792, 47.5079', 'a true minus sign'],
  ['-18.8792°, 47.5079°', 'degrees'],
  ['18.8792° S, 47.5079° E', 'letters behind'],
  ['S 18.8792 E 47.5079', 'letters before'],
  ['47.5079 E, 18.8792 S', 'the longitude first, with letters'],
  ['Lat: 18.8792° S, Long: 47.5079° E', 'names and letters'],
  ['Latitude : -18,8792 Longitude : 47,5079', 'names and decimal commas'],
  ['lat=-18.8792 lng=47.5079', 'names as in a program'],
  ['Longitude: 47.5079\nLatitude: -18.8792', 'the longitude first, with names'],
  ['18.8792° Sud, 47.5079° Est', 'French words'],
  ['18.8792 South 47.5079 East', 'English words'],
  ['Atsimo 18.8792, Atsinanana 47.5079', 'Malagasy words before'],
  ['-18.8792, 47.5079, 1280', 'an altitude'],
  ['-18.8792 47.5079 1280.5 m', 'an altitude in metres'],
  ['geo:-18.8792,47.5079', 'a geo URI'],
  ['geo:-18.8792,47.5079,1200;u=10', 'a geo URI with an altitude'],
  ['geo:-18.8792,47.5079;u=35', 'a geo URI with an uncertainty'],
  ['geo:0,0?q=-18.8792,47.5079(Shop)', 'a geo URI that searches'],
  ['https://www.google.com/maps/@-18.8792,47.5079,17z', 'the middle of a Google map'],
  ['https://www.google.com/maps/place/Shop/@-18.9,47.4,17z/data=!3m1!4b1!4m5!3m4!8m2!3d-18.8792!4d47.5079', 'a pin'],
  ['https://maps.google.com/?q=-18.8792,47.5079', 'a Google search'],
  ['https://www.google.com/maps/search/?api=1&query=-18.8792%2C47.5079', 'an encoded Google search'],
  ['https://www.google.com/maps/search/-18.8792,+47.5079?entry=tts', 'a search in the path'],
  ['https://www.google.com/maps/dir/?api=1&destination=-18.8792,47.5079', 'directions'],
  ['https://www.openstreetmap.org/?mlat=-18.8792&mlon=47.5079#map=12/-18.9/47.4', 'a pin of OpenStreetMap'],
  ['https://www.openstreetmap.org/#map=17/-18.8792/47.5079', 'the middle of OpenStreetMap'],
  ['https://osm.org/?lat=-18.8792&lon=47.5079', 'names of query fields'],
  ['https://maps.apple.com/?ll=-18.8792,47.5079&q=Shop', 'Apple'],
])('a pasted point is read: %s (%s)', (text) => {
  expect(readPoint(text)).toEqual(shop);
});

test.each([
  '18°52\'45"S 47°30\'28"E',
  '18°52′45″S, 47°30′28″E',
  "18° 52' 45'' S 47° 30' 28'' E",
  '18°52’45”S 47°30’28”E',
  'S18°52\'45" E47°30\'28"',
  "18°52.75'S 47°30.4667'E",
  '18°52\'45" Sud, 47°30\'28" Est',
  '18°52\'45" Atsimo, 47°30\'28" Atsinanana',
  '18 52 45 S 47 30 28 E',
  'S 18 52 45, E 47 30 28',
  '18 52,75 S, 47 30,4667 E',
  'Lat: 18°52\'45" S Long: 47°30\'28" E',
  '-18°52\'45" 47°30\'28"',
  "https://www.google.com/maps/place/18%C2%B052'45.0%22S+47%C2%B030'28.0%22E/",
])('minutes and seconds are read: %s', (text) => {
  const point = readPoint(text);
  expect(point?.lat).toBeCloseTo(-18.87917, 4);
  expect(point?.lng).toBeCloseTo(47.50778, 4);
});

test('west is O in French, as east is E', () => {
  expect(readPoint('48.8566 N, 1.5 O')).toEqual({ lat: 48.8566, lng: -1.5 });
  for (const west of ['Ouest', 'West', 'Andrefana'])
    expect(readPoint(`48.8566 Avaratra, 1.5 ${west}`)).toEqual({ lat: 48.8566, lng: -1.5 });
});

test.each([
  '',
  'Lot 5 Analakely',
  '101, 5',
  '-18.8792',
  '-18,87',
  'behind the market, 5°',
  '-98.8792, 47.5079',
  '-18.8792, 247.5079',
  '18.8792 S, 47.5079 S',
  '1.2, 3.4, 5.6',
  '-18, 8792, 47, 5079',
  '-18.8792, 47, 5079',
  '18 52 45, 47 30 28',
  '18 75 45 S 47 30 28 E',
  '18 52 45 S',
  'Lat: 47.5079 E, Long: 18.8792 S',
  'Latitude: -18.8792',
  'Atsimo Andrefana 18.8792, 47.5079',
  '18°75\'00"S 47°30\'28"E',
  'https://maps.app.goo.gl/AbCdEf123',
  'https://www.google.com/maps/place/Antananarivo',
  'geo:0,0?q=Antananarivo',
  '034 12.345, 67.8',
])('nothing is guessed from %j', (text) => {
  expect(readPoint(text)).toBeNull();
});
