export const geocoderNames = ['nominatim', 'photon', 'google'] as const;
export type GeocoderName = (typeof geocoderNames)[number];

export interface GeocoderSettings {
  name: GeocoderName;
  url: string;
  key: string;
}

/** Default URLs. The public Nominatim is only for manual use, so it has to be configured explicitly. */
export const publicGeocoders: Partial<Record<GeocoderName, string>> = {
  photon: 'https://photon.komoot.io',
  google: 'https://maps.googleapis.com/maps/api/geocode',
};
