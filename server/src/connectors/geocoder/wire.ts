import type { Bounds, Point } from '@portal/domain/geo.ts';
import type { GeocodedPlace } from '../ports.ts';

export interface Area {
  bounds: Bounds;
  /** ISO 3166, upper case. */
  country: string;
  /** Who asks, for services that want to know. */
  client: string;
}

/** One service's questions and what its answers mean; null for an answer that says nothing certain. */
export interface GeocoderWire {
  find(address: string, language: string): string;
  nearest(point: Point, language: string): string;
  read(status: number, json: unknown): GeocodedPlace[] | null;
}
