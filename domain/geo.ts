export interface Point {
  lat: number;
  lng: number;
}

export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

const earthKilometres = 6371.0088;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The great-circle distance on a sphere: exact to about half a percent. */
export function distanceKilometres(from: Point, to: Point): number {
  const north = Math.sin(radians(to.lat - from.lat) / 2);
  const east = Math.sin(radians(to.lng - from.lng) / 2);
  const half = north * north + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * east * east;
  return 2 * earthKilometres * Math.asin(Math.min(1, Math.sqrt(half)));
}

export const compassPoints = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;
export type CompassPoint = (typeof compassPoints)[number];

/** The compass direction (of eight) from `from` to `to`. */
export function directionTo(from: Point, to: Point): CompassPoint {
  const east = (to.lng - from.lng) * Math.cos(radians((from.lat + to.lat) / 2));
  const angle = Math.atan2(east, to.lat - from.lat);
  return compassPoints[(Math.round((angle / Math.PI) * 4) + 8) % 8] as CompassPoint;
}

export const isInside = ({ lat, lng }: Point, { south, west, north, east }: Bounds): boolean =>
  lat >= south && lat <= north && lng >= west && lng <= east;

export const isOnEarth = ({ lat, lng }: Point): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180;

/**
 * The Mercator projection of a point, in degrees of longitude. It keeps shapes and, nearby, distances in proportion.
 */
export function mercator({ lat, lng }: Point): { x: number; y: number } {
  const shown = Math.max(-85, Math.min(85, lat));
  return { x: lng, y: (Math.log(Math.tan(Math.PI / 4 + radians(shown) / 2)) * 180) / Math.PI };
}

/** Degrees in that projection for a distance at this latitude. */
export const mercatorDegrees = (kilometres: number, lat: number): number =>
  (kilometres / earthKilometres / Math.cos(radians(Math.max(-85, Math.min(85, lat))))) * (180 / Math.PI);

/** Latitude and longitude as people type them, "-18.91, 47.54"; null for anything else. */
export function readCoordinates(text: string): Point | null {
  const match = /^\s*([+-]?\d{1,3}(?:\.\d{1,12})?)\s*°?\s*[,; ]\s*([+-]?\d{1,3}(?:\.\d{1,12})?)\s*°?\s*$/.exec(text);
  if (!match) return null;
  const point = { lat: Number(match[1]), lng: Number(match[2]) };
  // Two integers are more likely a house number and a postal code than coordinates.
  return /\./.test(text) ? point : null;
}

/** Some people write the longitude first: swapped if only that is inside the bounds. */
export function insideOrSwapped(point: Point, bounds: Bounds): Point | null {
  const swapped = { lat: point.lng, lng: point.lat };
  return [point, swapped].find((each) => isInside(each, bounds)) ?? null;
}

/** A minus is easily lost: the point with other signs, if that is inside the bounds and the point is not. */
export function otherSign({ lat, lng }: Point, bounds: Bounds): Point | null {
  if (isInside({ lat, lng }, bounds)) return null;
  const others = [
    { lat: -lat, lng },
    { lat, lng: -lng },
    { lat: -lat, lng: -lng },
  ];
  return others.find((each) => isInside(each, bounds)) ?? null;
}
