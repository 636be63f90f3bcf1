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

/**
 * The point in what people have: coordinates, a geo URI, or the link of a map. Only the text is read; a short link has
 * no coordinates in it.
 */
export function readPoint(text: string): Point | null {
  const typed = text.trim().replace(/[−–]/g, '-');
  if (/^(?:https?|geo):/i.test(typed)) return inLink(typed);
  return inText(typed);
}

function inText(text: string): Point | null {
  const found = lettersBefore.exec(text) ?? lettersBehind.exec(text);
  // Two integers are rather a house number and a postal code, or one number with a decimal comma.
  if (!found || !(/[°º]/.test(text) || found.slice(1).some((part) => /[.,]/.test(part ?? '')))) return null;
  const [first, second] = [angleIn(found.slice(1, 7)), angleIn(found.slice(7, 13))];
  if (!first || !second) return null;
  const isSwapped = first.axis === 'lng' || second.axis === 'lat';
  if (isSwapped && (first.axis === 'lat' || second.axis === 'lng')) return null;
  const [lat, lng] = isSwapped ? [second.degrees, first.degrees] : [first.degrees, second.degrees];
  return isOnEarth({ lat, lng }) ? { lat, lng } : null;
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
  if (url.protocol === 'geo:')
    return fields.has('q') ? inside(fields.get('q') ?? '') : inText(url.pathname.split(';')[0] ?? '');
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
