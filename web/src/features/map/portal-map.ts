import { distanceKilometres, type Point } from '@portal/domain/geo.ts';
import type { PackMap } from '@portal/domain/operator.ts';
import {
  Control,
  circle,
  DomUtil,
  divIcon,
  LatLngBounds,
  LayerGroup,
  Map as LeafletMap,
  marker,
  TileLayer,
} from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { BaseLayer } from './base-layer.ts';
import styles from './map.module.css';

export interface MapTexts {
  /** Accessible name of the map. */
  label: string;
  zoomIn: string;
  zoomOut: string;
  near(name: string, kilometres: number): string;
  kilometres(value: number): string;
}

export interface MapPlace {
  centre: Point;
  zoom: number;
}

export interface MapOptions {
  map: PackMap;
  /** Without one, the whole country. */
  view: MapPlace | null;
  texts: MapTexts;
}

const zooms = { least: 4, most: 17 };
/** Where the map shows no streets, distance rings are drawn instead. */
const ringsFromZoom = 13;
const ringKilometres: Record<number, number[]> = { 13: [1, 2, 4], 14: [0.5, 1, 2], 15: [0.25, 0.5, 1] };
const closestRings = [0.1, 0.25, 0.5];
const whereFromZoom = 10;

/** A Leaflet map with our base map or the operator's tiles, a scale, the attribution, and a text of what is nearby. */
export function createPortalMap(container: HTMLElement, { map: settings, view, texts: first }: MapOptions) {
  let texts = first;
  // A strip of coast may be outside: one level further out, the country would be half as large.
  const showCountry = () => map.fitBounds(new LatLngBounds([south, west], [north, east]).pad(-0.08));
  const { south, west, north, east } = settings.bounds;
  const margin = 1.5;
  const map = new LeafletMap(container, {
    minZoom: zooms.least,
    maxZoom: zooms.most,
    maxBounds: [
      [south - margin, west - margin * 2],
      [north + margin, east + margin * 2],
    ],
    preferCanvas: true,
    zoomControl: false,
    attributionControl: false,
    zoomAnimation: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  });
  if (view) map.setView(view.centre, view.zoom);
  else showCountry();
  if (styles.map) container.classList.add(styles.map);
  container.setAttribute('role', 'application');
  container.setAttribute('aria-label', texts.label);
  map.addControl(new Control.Attribution({ prefix: false }));
  const zoomControl = () => new Control.Zoom({ zoomInTitle: texts.zoomIn, zoomOutTitle: texts.zoomOut }).addTo(map);
  let zoomButtons = zoomControl();
  map.addControl(new Control.Scale({ imperial: false }));

  const base = settings.tiles || !settings.base ? null : new BaseLayer(settings.base, settings.attribution);
  if (base) map.addLayer(base);
  else if (settings.tiles) map.addLayer(new TileLayer(settings.tiles.url, { attribution: settings.tiles.attribution }));

  const rings = new LayerGroup().addTo(map);
  const where = new Where().addTo(map);
  let focus: Point | null = null;

  function nearestPlace(): { name: string; at: Point; kilometres: number } | null {
    const middle = map.getCenter();
    let best: { name: string; at: Point; kilometres: number } | null = null;
    for (const { name, rank, x, y } of base?.base?.labels ?? []) {
      if (rank === 0) continue;
      const at = worldToPoint(x, y);
      const kilometres = distanceKilometres(middle, at);
      if (!best || kilometres < best.kilometres) best = { name, at, kilometres };
    }
    return best;
  }

  function showKnown() {
    const level = map.getZoom();
    const place = level >= whereFromZoom ? nearestPlace() : null;
    where.say(place ? texts.near(place.name, place.kilometres) : '');
    rings.clearLayers();
    const middle = focus ?? place?.at;
    if (level < ringsFromZoom || !middle || settings.tiles) return;
    for (const kilometres of ringKilometres[level] ?? closestRings) {
      const ring = circle(middle, { radius: kilometres * 1000, interactive: false, className: styles.ring });
      ring.setStyle({ fill: false, weight: 1, dashArray: '4 6', color: ringColor(), opacity: 0.75 });
      rings.addLayer(ring);
      const north = { lat: middle.lat + kilometres / 111.19, lng: middle.lng };
      const icon = divIcon({ className: styles.ringLabel, html: texts.kilometres(kilometres), iconSize: [72, 18] });
      rings.addLayer(marker(north, { icon, interactive: false, keyboard: false }));
    }
  }

  /** The current centre and zoom, for code without access to the map itself. */
  function tellPosition() {
    const { lat, lng } = map.getCenter();
    Object.assign(container.dataset, { zoom: String(map.getZoom()), lat: lat.toFixed(5), lng: lng.toFixed(5) });
  }

  const ringColor = () => getComputedStyle(container).getPropertyValue('--muted').trim();
  map.on('moveend', showKnown);
  map.on('moveend', tellPosition);
  tellPosition();
  base?.on('base', showKnown);
  showKnown();

  return {
    map,
    /** Centre of the distance rings: a place that was searched for, or the visitor's position. */
    setFocus(point: Point | null) {
      focus = point;
      showKnown();
    },
    showCountry,
    /** Called when the base map is loaded or has failed: until then there is only sea. */
    whenReady(tell: () => void) {
      if (base) base.once('ready', tell);
      else tell();
    },
    /** Switches the same map to another language. */
    setTexts(next: MapTexts) {
      texts = next;
      container.setAttribute('aria-label', texts.label);
      zoomButtons.remove();
      zoomButtons = zoomControl();
      showKnown();
    },
    remove() {
      map.remove();
    },
  };
}

export type PortalMap = ReturnType<typeof createPortalMap>;

/** A line of text in a corner of the map. */
class Where extends Control {
  readonly #node = DomUtil.create('div', styles.where);

  constructor() {
    super({ position: 'topright' });
  }

  override onAdd(): HTMLElement {
    return this.#node;
  }

  say(text: string): void {
    this.#node.textContent = text;
  }
}

function worldToPoint(x: number, y: number): Point {
  const turned = Math.PI * (1 - 2 * y);
  return { lng: x * 360 - 180, lat: (Math.atan(Math.sinh(turned)) * 180) / Math.PI };
}
