import { type Coords, type DoneCallback, GridLayer, type Map as LeafletMap } from 'leaflet';
import { type BaseMap, readBaseMap } from './base-map.ts';
import { drawTile, textMeasure } from './draw-tile.ts';
import { type LabelGrid, placeLabels } from './label-places.ts';
import { darkMap, lightMap } from './map-palette.ts';
import type { BaseMapFile } from './shape-code.ts';

const fineFromZoom = 8;
/** Milliseconds of drawing per frame, so that touches are handled in between. */
const frameMs = 8;

/** Tiles are queued here and drawn a few at a time. */
class DrawQueue {
  readonly #waiting: (() => void)[] = [];
  #frame = 0;

  add(draw: () => void): void {
    this.#waiting.push(draw);
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#run);
  }

  readonly #run = () => {
    const until = performance.now() + frameMs;
    do this.#waiting.shift()?.();
    while (this.#waiting.length > 0 && performance.now() < until);
    this.#frame = this.#waiting.length > 0 ? requestAnimationFrame(this.#run) : 0;
  };

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#waiting.length = 0;
  }
}

const paletteFor = (scheme: { matches: boolean }) => (scheme.matches ? darkMap : lightMap);

/**
 * Our own base map, drawn from shapes in the browser: the coarse map first, the detailed one where it would be
 * visible.
 */
export class BaseLayer extends GridLayer {
  base: BaseMap | null = null;
  readonly #folder: string;
  readonly #queue = new DrawQueue();
  readonly #labels = new Map<number, LabelGrid>();
  readonly #scheme = window.matchMedia('(prefers-color-scheme: dark)');
  #palette = lightMap;
  readonly #measure = textMeasure(document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D);
  #fine: 'no' | 'asked' | 'here' = 'no';

  constructor(folder: string, attribution: string) {
    super({ attribution, keepBuffer: 3, updateWhenZooming: false });
    this.#folder = folder;
  }

  override onAdd(map: LeafletMap): this {
    this.#scheme.addEventListener('change', this.#schemeChanged);
    this.#palette = paletteFor(this.#scheme);
    map.on('zoomend', this.#zoomed);
    this.#load('coarse').then(() => {
      this.#zoomed();
      this.fire('ready');
    });
    return super.onAdd(map);
  }

  override onRemove(map: LeafletMap): this {
    this.#scheme.removeEventListener('change', this.#schemeChanged);
    map.off('zoomend', this.#zoomed);
    this.#queue.stop();
    return super.onRemove(map);
  }

  override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas');
    const size = this.getTileSize().x;
    const dots = Math.min(3, Math.max(1, window.devicePixelRatio));
    canvas.width = size * dots;
    canvas.height = size * dots;
    this.#queue.add(() => {
      const pen = canvas.getContext('2d', { alpha: false });
      if (pen) {
        pen.scale(dots, dots);
        const tile = { x: coords.x, y: coords.y, zoom: coords.z, size };
        drawTile(pen, tile, this.base, this.#labelsAt(coords.z), this.#palette);
      }
      done(undefined, canvas);
    });
    return canvas;
  }

  #labelsAt(zoom: number): LabelGrid | null {
    if (!this.base) return null;
    let grid = this.#labels.get(zoom);
    if (!grid) {
      grid = placeLabels(this.base, zoom, this.#measure);
      this.#labels.set(zoom, grid);
    }
    return grid;
  }

  /**
   * If read in between, Chromium considers the change as reported and fires no event: tiles drawn before would stay
   * outdated.
   */
  readonly #schemeChanged = (scheme: MediaQueryListEvent) => {
    this.#palette = paletteFor(scheme);
    this.redraw();
  };

  readonly #zoomed = () => {
    if (this.#fine !== 'no' || !this.base || !(this._map?.getZoom() >= fineFromZoom)) return;
    this.#fine = 'asked';
    this.#load('fine').then((isHere) => {
      this.#fine = isHere ? 'here' : 'no';
    });
  };

  /** On failure the map stays usable: an empty background with the markers. */
  async #load(name: 'coarse' | 'fine'): Promise<boolean> {
    try {
      const answer = await fetch(`${this.#folder}/${name}.json`);
      if (!answer.ok) return false;
      const base = await readBaseMap((await answer.json()) as BaseMapFile);
      if (!this._map) return false;
      this.base = base;
      this.#labels.clear();
      this.redraw();
      this.fire('base');
      return true;
    } catch {
      return false;
    }
  }
}
