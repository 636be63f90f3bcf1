export const geocoderNames = ['nominatim', 'photon', 'google'] as const;
export type GeocoderName = (typeof geocoderNames)[number];

export interface GeocoderSettings {
  name: GeocoderName;
  url: string;
  key: string;
}

/** Where each answers when no address is set. The public Nominatim is for tries by hand, so it has to be named. */
export const publicGeocoders: Partial<Record<GeocoderName, string>> = {
  photon: 'https://photon.komoot.io',
  google: 'https://maps.googleapis.com/maps/api/geocode',
};
