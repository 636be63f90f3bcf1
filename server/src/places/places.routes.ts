import { mapDefaults } from '@portal/domain/constants.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { refuseOtherOperators } from '../http/own-operator.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Places } from './places.service.ts';
import type { StoredShop } from './places.store.ts';

export function placeHandlers(places: Places, pack: OperatorPack): Handlers {
  const ours = refuseOtherOperators(pack.opco);
  return {
    async geocode({ query, language }) {
      const place = await places.geocode(query.address, language);
      if (!place) return { status: 'ZERO_RESULTS', results: [] };
      const { label, lat, lng } = place;
      return { status: 'OK', results: [{ formatted_address: label, geometry: { location: { lat, lng } } }] };
    },
    async suggestPlaces({ query }) {
      const found = await places.suggest(query.q);
      const suggestions = found.map(({ label, lat, lng }) => ({ label, location: { lat, lng } }));
      return { suggestions };
    },
    async shops({ query }) {
      ours(query.opco);
      const point = { lat: query.latitude, lng: query.longitude };
      const shops = await places.shops(point, query.distanceInKilometers ?? mapDefaults.shopRadiusKilometres);
      return shops.map(wireShop);
    },
    async shopList({ query }) {
      ours(query.opco);
      return (await places.shopList(query.kind)).map(wireShop);
    },
    async cities() {
      return {
        data: (await places.towns()).map(({ cityName, hbbLeadFeasibility }) => ({ cityName, hbbLeadFeasibility })),
      };
    },
  };
}

const wireShop = ({ kind, name, title, lat, lng, address, phone, city, region, hours }: StoredShop) => ({
  shop: name,
  title,
  location: { latitue: lat, longitude: lng },
  phyLocation: address,
  phNumber: phone,
  kind,
  city,
  region,
  ...(hours ? { hours } : {}),
});
