import type { Bounds } from '@portal/domain/geo.ts';
import { isInside, type Point } from '@portal/domain/geo.ts';
import { divIcon, type LatLng, marker } from 'leaflet';
import styles from './map.module.css';
import type { PortalMap } from './portal-map.ts';

const stepPixels = { usual: 16, large: 96 };
const directions: Record<string, [x: number, y: number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** One pin that is moved by dragging, by a tap on the map, or with the arrow keys. */
export function pickOnMap(
  { map, setFocus }: PortalMap,
  bounds: Bounds,
  label: string,
  onMoved: (point: Point) => void,
) {
  const icon = divIcon({
    className: `${styles.pin} ${styles.activePin}`,
    html: '<span></span>',
    iconSize: [44, 44],
    iconAnchor: [22, 52],
  });
  const pin = marker(map.getCenter(), {
    icon,
    draggable: true,
    autoPan: true,
    title: label,
    alt: label,
    keyboard: true,
  });
  pin.addTo(map);
  setFocus(map.getCenter());

  function moveTo(to: LatLng) {
    if (!isInside(to, bounds)) {
      pin.setLatLng(before);
      return;
    }
    before = to;
    pin.setLatLng(to);
    setFocus(to);
    onMoved({ lat: to.lat, lng: to.lng });
  }

  let before = pin.getLatLng();
  pin.on('dragend', () => moveTo(pin.getLatLng()));
  map.on('click', ({ latlng }) => moveTo(latlng));
  const node = pin.getElement();
  node?.setAttribute('aria-label', label);
  node?.addEventListener('keydown', (event) => {
    const direction = directions[event.key];
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? stepPixels.large : stepPixels.usual;
    const at = map.latLngToContainerPoint(pin.getLatLng()).add([direction[0] * step, direction[1] * step]);
    moveTo(map.containerPointToLatLng(at));
    map.panInside(pin.getLatLng(), { padding: [60, 60] });
  });
  return pin;
}
