import { inputDebounceMilliseconds } from '@portal/domain/constants.ts';
import type { Point } from '@portal/domain/geo.ts';
import type { PackMap } from '@portal/domain/operator.ts';
import { pickOnMap } from './pick-layer.ts';
import { createPortalMap, type MapTexts, type PortalMap } from './portal-map.ts';

export interface PickedLocation extends Point {
  address: string;
}

export interface LocationPickerSettings {
  map: PackMap;
  texts: MapTexts;
  /** Accessible name of the pin, with the keys that move it. */
  pinLabel: string;
  start: Point;
  zoom: number;
  nameOf(point: Point): Promise<string | null>;
}

const locationPickerTag = 'portal-location-picker';
export const locationChanged = 'location-changed';

/** A map with one pin. Every move fires a `location-changed` event with {lat, lng, address}. */
class LocationPicker extends HTMLElement {
  settings: LocationPickerSettings | null = null;
  #map: PortalMap | null = null;
  #timer = 0;
  #latest = 0;

  connectedCallback(): void {
    const { settings } = this;
    if (!settings || this.#map) return;
    const node = document.createElement('div');
    this.append(node);
    const { map, start, zoom, texts, pinLabel } = settings;
    this.#map = createPortalMap(node, { map, view: { centre: start, zoom }, texts });
    pickOnMap(this.#map, map.bounds, pinLabel, (point) => this.#moved(point));
    this.#moved(start);
  }

  disconnectedCallback(): void {
    window.clearTimeout(this.#timer);
    this.#latest += 1;
    this.#map?.remove();
    this.#map = null;
    this.replaceChildren();
  }

  #moved(point: Point): void {
    window.clearTimeout(this.#timer);
    const turn = ++this.#latest;
    this.#timer = window.setTimeout(async () => {
      const address = (await this.settings?.nameOf(point)) ?? '';
      // If the pin was moved again meanwhile, ignore this result.
      if (turn !== this.#latest) return;
      const detail: PickedLocation = { lat: point.lat, lng: point.lng, address };
      this.dispatchEvent(new CustomEvent(locationChanged, { detail, bubbles: true, composed: true }));
    }, inputDebounceMilliseconds);
  }
}

export function createLocationPicker(settings: LocationPickerSettings): LocationPicker {
  if (!customElements.get(locationPickerTag)) customElements.define(locationPickerTag, LocationPicker);
  const picker = document.createElement(locationPickerTag) as LocationPicker;
  picker.settings = settings;
  return picker;
}
