import type { Bounds, Point } from '@portal/domain/geo.ts';
import type { GeocodedPlace } from '../ports.ts';

export interface Area {
  bounds: Bounds;
  /** ISO 3166, upper case. */
  country: string;
  /** Identifies the client, for services that require it. */
  client: string;
}

/** The requests of one service and how its responses are read; null if a response is not conclusive. */
export interface GeocoderWire {
  find(address: string, language: string): string;
  nearest(point: Point, language: string): string;
  read(status: number, json: unknown): GeocodedPlace[] | null;
}
