import type { Point } from '@portal/domain/geo.ts';
import { writeNumber } from '@portal/domain/number-format.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './map.module.css';
import type { MapTexts, PortalMap } from './portal-map.ts';

/** What can be put on a map; it comes with the map's own script. */
export type MapLayers = Pick<typeof import('./map-parts.ts'), 'showShops' | 'showSites'>;

export interface MapViewProps {
  label: string;
  centre: Point;
  zoom: number;
  /** Told once, when the map is there. */
  onReady: (map: PortalMap, layers: MapLayers) => void;
}

export function useMapTexts(label: string): MapTexts {
  const { t, language } = usePage();
  const written = (kilometres: number) => writeNumber(String(Math.round(kilometres * 10) / 10), language.formats);
  return {
    label,
    zoomIn: t('map.zoomIn'),
    zoomOut: t('map.zoomOut'),
    near: (name, kilometres) => (kilometres < 1 ? name : t('map.near', { place: name, distance: written(kilometres) })),
    kilometres: (value) =>
      value < 1 ? t('map.metres', { distance: Math.round(value * 1000) }) : t('map.kilometres', { distance: value }),
  };
}

/** A browser that cannot draw must not lose the page: what a map or a layer throws is told to the map's frame. */
function guarded<T extends object>(drawn: T, onFail: () => void): T {
  const guard =
    (call: unknown) =>
    (...given: unknown[]) => {
      try {
        return (call as (...given: unknown[]) => unknown)(...given);
      } catch {
        onFail();
      }
    };
  const parts = Object.entries(drawn).map(([name, part]) => [name, typeof part === 'function' ? guard(part) : part]);
  return Object.fromEntries(parts) as T;
}

/** The map comes after the page, in a script of its own; what it shows is also said in words beside it. */
export function MapView({ label, centre, zoom, onReady }: MapViewProps) {
  const { t, operator, language } = usePage();
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'here' | 'failed'>('loading');
  const texts = useMapTexts(label);
  const shown = useRef<PortalMap>(null);

  const translate = useEffectEvent((_language: string, _label: string) => shown.current?.setTexts(texts));
  useEffect(() => translate(language.code, label), [language, label]);

  // A map is made once and then moved.
  const make = useEffectEvent(() => {
    const node = place.current;
    if (!node) return;
    let made: PortalMap | null = null;
    let isGone = false;
    const fail = () => setState('failed');
    import('./map-parts.ts')
      .then(({ createPortalMap, showShops, showSites }) => {
        if (isGone) return;
        made = guarded(createPortalMap(node, { map: operator.map, centre, zoom, texts }), fail);
        shown.current = made;
        setState('here');
        onReady(made, {
          showShops: (...given) => guarded(showShops(...given), fail),
          showSites: (...given) => guarded(showSites(...given), fail),
        });
      })
      .catch(fail);
    return () => {
      isGone = true;
      made?.remove();
    };
  });
  useEffect(() => make(), []);

  return (
    <div className={styles.frame}>
      <div ref={place} className={styles.map} data-state={state} />
      {state === 'loading' && <p className={`${styles.waiting} needs-script`}>{t('map.loading')}</p>}
      {state === 'failed' && (
        <div className={styles.waiting}>
          <Notice kind="info" title={t('map.failed')} />
        </div>
      )}
      <noscript>
        <p className={styles.waiting}>{t('map.noScript')}</p>
      </noscript>
    </div>
  );
}
