import { mapDefaults } from '@portal/domain/constants.ts';
import type { Point } from '@portal/domain/geo.ts';
import { circleMarker, divIcon, LayerGroup, latLngBounds, type Marker, marker } from 'leaflet';
import styles from './map.module.css';
import type { PortalMap } from './portal-map.ts';

export interface ShopPin extends Point {
  title: string;
}

const size = { usual: 30, large: 44 };

function numbered(number: number, isActive: boolean) {
  const side = isActive ? size.large : size.usual;
  return divIcon({
    className: isActive ? `${styles.pin} ${styles.activePin}` : styles.pin,
    html: `<span>${number}</span>`,
    iconSize: [side, side],
    iconAnchor: [side / 2, side * 1.18],
  });
}

/** Numbered pins, synchronised with a list beside the map. */
export function showShops({ map, setFocus, showCountry }: PortalMap, onChoose: (index: number) => void) {
  const layers = new LayerGroup().addTo(map);
  let pins: Marker[] = [];
  let shops: readonly ShopPin[] = [];
  let active: number | null = null;

  const repaint = (index: number | null) => {
    if (index === null) return;
    pins[index]?.setIcon(numbered(index + 1, index === active)).setZIndexOffset(index === active ? 1000 : -index);
  };

  return {
    setShops(next: readonly ShopPin[], origin: Point | null) {
      layers.clearLayers();
      active = null;
      shops = next;
      pins = next.map((shop, index) => {
        const title = `${index + 1}. ${shop.title}`;
        const one = marker(shop, { icon: numbered(index + 1, false), keyboard: false, title, alt: title });
        one.setZIndexOffset(-index).on('click', () => onChoose(index));
        layers.addLayer(one);
        return one;
      });
      setFocus(origin);
      if (origin)
        layers.addLayer(
          circleMarker(origin, { radius: 7, weight: 3, color: '#ffffff', fillColor: '#1b4fa8', fillOpacity: 1 }),
        );
      if (next.length === 0) {
        if (origin) map.setView(origin, mapDefaults.coverageZoom);
        else showCountry();
        return;
      }
      const close = next.slice(0, 8).map(({ lat, lng }): [number, number] => [lat, lng]);
      const bounds = latLngBounds(origin ? [...close, [origin.lat, origin.lng]] : close);
      map.fitBounds(bounds, { padding: [44, 44], maxZoom: mapDefaults.shopHoverZoom });
    },
    setActive(index: number | null) {
      if (index === active) return;
      const before = active;
      active = index;
      repaint(before);
      repaint(index);
      const shop = index === null ? undefined : shops[index];
      if (shop) map.setView(shop, mapDefaults.shopHoverZoom);
    },
  };
}
