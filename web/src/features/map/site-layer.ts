import { mapDefaults } from '@portal/domain/constants.ts';
import { type CoverageSite, type Generation, generations, offers } from '@portal/domain/coverage.ts';
import { circle, divIcon, icon, type Layer, LayerGroup, type Marker, marker } from 'leaflet';
import styles from './map.module.css';
import type { PortalMap } from './portal-map.ts';
import { clusterSites, type SiteClusters, type SiteMark } from './site-clusters.ts';

const { markerWidth, markerHeight, fifthGenerationCircleMetres } = mapDefaults;
const pin = (file: string) =>
  icon({
    iconUrl: `/map/${file}.svg`,
    iconSize: [markerWidth, markerHeight],
    iconAnchor: [markerWidth / 2, markerHeight],
    popupAnchor: [0, -markerHeight],
    className: styles.site,
  });
/** Below this size the circle would disappear under its own marker. */
const circleFromZoom = 12;
/** New markers are added a few at a time, so that the map stays responsive. */
const atOnce = 12;

export interface SiteTexts {
  describe(site: CoverageSite, offered: Generation[]): string;
  cluster(count: number): string;
}

/** Sites on a map: clusters from afar, single markers up close. `onCount` receives how many are in view. */
export function showSites({ map }: PortalMap, firstTexts: SiteTexts, onCount: (count: number) => void) {
  let texts = firstTexts;
  const layers = new LayerGroup().addTo(map);
  const icons = { site: pin('site'), fifth: pin('site-5g') };
  const shown = new Map<string, Layer[]>();
  const indexes = new Map<Generation | 'all', SiteClusters>();
  let sites: readonly CoverageSite[] = [];
  let generation: Generation | null = null;
  let waiting: SiteMark[] = [];
  let frame = 0;
  let gathering = 0;
  let drawnAt = '';

  /** Clustering thousands of sites is a task of its own; the map may be moved before they are drawn. */
  function gather() {
    window.clearTimeout(gathering);
    const key = generation ?? 'all';
    if (indexes.has(key)) return update();
    gathering = window.setTimeout(() => {
      indexes.set(key, clusterSites(sites, generation));
      gathering = window.setTimeout(update);
    });
  }

  function draw(mark: SiteMark): Layer[] {
    if (mark.kind === 'cluster') return [clusterMarker(mark)];
    const { site } = mark;
    const at = { lat: site.latitude, lng: site.longitude };
    const isFifth = offers(site, '5G');
    const offered = generations.filter((each) => offers(site, each));
    const words = texts.describe(site, offered);
    const one = marker(at, { icon: isFifth ? icons.fifth : icons.site, keyboard: false, title: words, alt: words });
    one.bindPopup(() => document.createTextNode(words) as unknown as HTMLElement);
    if (!isFifth || map.getZoom() < circleFromZoom) return [one];
    const around = circle(at, { radius: fifthGenerationCircleMetres, interactive: false, weight: 1 });
    return [around.setStyle({ color: '#c8410b', fillColor: '#c8410b', fillOpacity: 0.18 }), one];
  }

  function clusterMarker({ lat, lng, count, expandsAt }: SiteMark & { kind: 'cluster' }): Marker {
    const side = count < 10 ? 32 : count < 100 ? 38 : 46;
    const round = divIcon({ className: styles.cluster, html: String(count), iconSize: [side, side] });
    const words = texts.cluster(count);
    return marker({ lat, lng }, { icon: round, keyboard: false, title: words, alt: words }).on('click', () =>
      map.setView({ lat, lng }, Math.min(expandsAt, map.getMaxZoom())),
    );
  }

  function putUp() {
    for (const mark of waiting.splice(0, atOnce)) {
      const drawn = draw(mark);
      for (const layer of drawn) layers.addLayer(layer);
      shown.set(mark.id, drawn);
    }
    frame = waiting.length > 0 ? requestAnimationFrame(putUp) : 0;
  }

  function update() {
    const index = indexes.get(generation ?? 'all');
    if (!index) return;
    const zoom = map.getZoom();
    const inSight = map.getBounds();
    const box = (padding: number) => {
      const bounds = inSight.pad(padding);
      return {
        south: bounds.getSouth(),
        west: bounds.getWest(),
        north: bounds.getNorth(),
        east: bounds.getEast(),
      };
    };
    const marks = index.marks(box(0.15), zoom);
    const wanted = new Set(marks.map(({ id }) => id));
    // Ids are valid for one index and one zoom.
    const drawing = `${generation}:${zoom}`;
    for (const [id, drawn] of shown) {
      if (drawing === drawnAt && wanted.has(id)) continue;
      for (const layer of drawn) layers.removeLayer(layer);
      shown.delete(id);
    }
    drawnAt = drawing;
    waiting = marks.filter(({ id }) => !shown.has(id));
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(putUp);
    onCount(index.count(box(0)));
  }

  map.on('moveend', update);
  map.on('unload', () => {
    window.clearTimeout(gathering);
    cancelAnimationFrame(frame);
  });
  return {
    setSites(next: readonly CoverageSite[]) {
      sites = next;
      indexes.clear();
      drawnAt = '';
      gather();
    },
    /** Redraws everything in view in another language. */
    setTexts(next: SiteTexts) {
      texts = next;
      drawnAt = '';
      update();
    },
    setGeneration(next: Generation | null) {
      if (next === generation) return;
      generation = next;
      gather();
    },
  };
}
