import { isOnEarth, type Point } from '@portal/domain/geo.ts';

const decimal = String.raw`\d{1,3}(?:[.,]\d{1,15})?`;
const degree = '[°º]';
const minute = "['’′]";
const second = `(?:["”″]|['’′]{2})`;
const parts = String.raw`([+-]?)\s*(${decimal})\s*${degree}?(?:\s*(${decimal})\s*${minute}(?!['’′])(?:\s*(${decimal})\s*${second})?)?`;
const letter = '([NSEWO])';
const pairOf = (angle: string) => new RegExp(String.raw`^[(\[]?\s*${angle}\s*[,;\s]\s*${angle}\s*[)\]]?$`, 'i');
const lettersBefore = pairOf(String.raw`${letter}\s*${parts}()`);
const lettersBehind = pairOf(String.raw`()${parts}\s*${letter}?`);

/** With both letters, and only with them, degrees, minutes and seconds may be told apart by spaces alone. */
const spaced = String.raw`()(\d{1,3})\s*${degree}?\s+(${decimal})\s*${minute}?(?:\s+(${decimal})\s*${second}?)?`;
const spacedBefore = pairOf(String.raw`${letter}\s*${spaced}()`);
const spacedBehind = pairOf(String.raw`()${spaced}\s*${letter}`);
/** A third number is an altitude only where the first two are exact enough to be nothing but coordinates. */
const exact = String.raw`[+-]?\d{1,3}\.\d{3,15}`;
const altitude = new RegExp(
  String.raw`^(${exact}\s*[,;\s]\s*${exact})\s*[,;\s]\s*[+-]?\d{1,4}(?:\.\d{1,4})?\s*m?$`,
  'i',
);
const latitudeName = String.raw`lat(?:itude)?\s*[:=]?\s*`;
const longitudeName = String.raw`(?:lng|lon(?:g(?:itude)?)?)\s*[:=]?\s*`;
const latitudeNamed = new RegExp(String.raw`^${latitudeName}(.+?)[\s,;]*${longitudeName}(.+)$`, 'i');
const longitudeNamed = new RegExp(String.raw`^${longitudeName}(.+?)[\s,;]*${latitudeName}(.+)$`, 'i');

const sides = [
  ['N', 'nord|north|avaratra'],
  ['S', 'sud|south|atsimo'],
  ['E', 'est|east|atsinanana'],
  ['W', 'ouest|west|andrefana'],
] as const;
const inLetters = (text: string) =>
  sides.reduce(
    (all, [letter, words]) => all.replace(new RegExp(`(?<![a-z])(?:${words})(?![a-z])`, 'gi'), letter),
    text,
  );

/**
 * The point in what people have: coordinates, a geo URI, or the link of a map. Only the text is read; a short link has
 * no coordinates in it.
 */
export function readPoint(text: string): Point | null {
  const typed = text.trim().replace(/[−–]/g, '-');
  if (/^(?:https?|geo):/i.test(typed)) return inLink(typed);
  return inText(typed);
}

function inText(typed: string): Point | null {
  const text = inLetters(typed);
  const [, north, east] = latitudeNamed.exec(text) ?? [];
  const [, eastFirst, northLast] = longitudeNamed.exec(text) ?? [];
  const named = north ? [north, east] : northLast ? [northLast, eastFirst] : null;
  const angles = anglesIn(named?.join('; ') ?? text.replace(altitude, '$1'));
  if (!angles) return null;
  const [first, second] = angles;
  const isSwapped = first.axis === 'lng' || second.axis === 'lat';
  if (isSwapped && (named || first.axis === 'lat' || second.axis === 'lng')) return null;
  const [lat, lng] = isSwapped ? [second.degrees, first.degrees] : [first.degrees, second.degrees];
  return isOnEarth({ lat, lng }) ? { lat, lng } : null;
}

type Angle = NonNullable<ReturnType<typeof angleIn>>;

function anglesIn(text: string): [Angle, Angle] | null {
  const usual = lettersBefore.exec(text) ?? lettersBehind.exec(text);
  // Two integers are rather a house number and a postal code, or one number with a decimal comma.
  const isExact = /[°º]/.test(text) || usual?.slice(1).some((part) => /[.,]/.test(part ?? ''));
  const found = (isExact && usual) || spacedBefore.exec(text) || spacedBehind.exec(text);
  if (!found) return null;
  const [first, second] = [angleIn(found.slice(1, 7)), angleIn(found.slice(7, 13))];
  return first && second ? [first, second] : null;
}

function angleIn([before, sign, degrees, minutes, seconds, behind]: (string | undefined)[]) {
  const side = (before || behind || '').toUpperCase();
  if (side && sign) return null;
  const [whole, sixtieths, rest] = [degrees, minutes, seconds].map((part) => Number((part ?? '0').replace(',', '.')));
  if (whole === undefined || sixtieths === undefined || rest === undefined || sixtieths >= 60 || rest >= 60)
    return null;
  const size = whole + sixtieths / 60 + rest / 3600;
  const isNegative = sign === '-' || 'SWO'.includes(side || '-');
  const axis = side === '' ? null : 'NS'.includes(side) ? ('lat' as const) : ('lng' as const);
  return { degrees: isNegative ? -size : size, axis };
}

const number = String.raw`-?\d{1,3}\.\d{1,15}`;
/** Where links of maps have a point, the pin of a place before the middle of what is shown. */
const inPaths = [
  new RegExp(`!3d(${number})!4d(${number})`),
  new RegExp(`/@(${number}),(${number})`),
  new RegExp(`#map=[\\d.]+/(${number})/(${number})`),
];
const pairFields = ['q', 'query', 'destination', 'daddr', 'll', 'center'];
const splitFields = [
  ['mlat', 'mlon'],
  ['lat', 'lon'],
  ['lat', 'lng'],
];

function inLink(link: string): Point | null {
  if (!URL.canParse(link)) return null;
  const url = new URL(link);
  const fields = url.searchParams;
  const inside = (text: string) => inText(text.replace(/\([^)]*\)$/, '').trim());
  const named = [
    ...pairFields.map((name) => inside(fields.get(name) ?? '')),
    ...splitFields.map(([lat = '', lng = '']) => inText(`${fields.get(lat) ?? ''}, ${fields.get(lng) ?? ''}`)),
  ];
  // A geo URI may have an altitude behind the two.
  if (url.protocol === 'geo:')
    return fields.has('q') ? inside(fields.get('q') ?? '') : inText(/^[^,;]*,[^,;]*/.exec(url.pathname)?.[0] ?? '');
  const steps = url.pathname.split('/').map((step) => inText(decoded(step.replaceAll('+', ' '))));
  const [pin, ...middles] = inPaths.map((one) => {
    const [, lat, lng] = one.exec(url.pathname + url.hash) ?? [];
    return lat && lng ? inText(`${lat}, ${lng}`) : null;
  });
  return [...named, pin, ...steps, ...middles].find(Boolean) ?? null;
}

/** A path whose escapes are broken is left as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The point in two fields, if they hold one. */
export function pointOf({ latitude, longitude }: { latitude: string; longitude: string }): Point | null {
  const point = { lat: numberIn(latitude), lng: numberIn(longitude) };
  return Number.isFinite(point.lat + point.lng) && isOnEarth(point) ? point : null;
}

const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')));

export const written = (degrees: number, decimals: number): string => String(Number(degrees.toFixed(decimals)));
