import { writeNumber } from '@portal/domain/number-format.ts';
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { usePage, WithoutScript } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './map.module.css';
import type { MapPlace, MapTexts, PortalMap } from './portal-map.ts';

/** What can be shown on a map; bundled with the map's own script. */
export type MapLayers = Pick<typeof import('./map-parts.ts'), 'showShops' | 'showSites'>;

export interface MapViewProps {
  label: string;
  /** Where it opens; without one it shows the whole country. */
  view: MapPlace | null;
  /** Called once, when the map is ready. */
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

/** Errors of the map and its layers go to the map's frame, so that a browser without canvas does not lose the page. */
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

/** Share of the map's height: somebody who only scrolls past its upper edge has not looked at it. */
const lookedAtFrom = 0.5;

/**
 * Loads the map, in a script of its own, when it comes into view: most people need only the text beside it, and on a
 * slow phone the map would delay that by a second. The text says all that the map shows.
 */
export function MapView({ label, view, onReady }: MapViewProps) {
  const { t, operator, language } = usePage();
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'here' | 'failed'>('loading');
  const [isWanted, look] = useReducer(() => true, false);
  const texts = useMapTexts(label);
  const shown = useRef<PortalMap>(null);

  const translate = useEffectEvent((_language: string, _label: string) => shown.current?.setTexts(texts));
  useEffect(() => translate(language.code, label), [language, label]);

  useEffect(() => {
    // The oldest browsers have no IntersectionObserver.
    if (!window.IntersectionObserver) return look();
    const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && look(), {
      threshold: lookedAtFrom,
    });
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  // The map is created once and then updated.
  const make = useEffectEvent(() => {
    const node = place.current;
    if (!node) return;
    let made: PortalMap | null = null;
    let isGone = false;
    const fail = () => setState('failed');
    import('./map-parts.ts')
      .then(({ createPortalMap, showShops, showSites }) => {
        if (isGone) return;
        made = guarded(createPortalMap(node, { map: operator.map, view, texts }), fail);
        shown.current = made;
        made.whenReady(() => setState('here'));
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
  useEffect(() => (isWanted ? make() : undefined), [isWanted]);

  return (
    <div className={styles.frame}>
      <div ref={place} className={styles.map} data-state={isWanted ? state : 'waiting'} />
      {!isWanted && (
        <div className={`${styles.waiting} needs-script`}>
          <Button kind="secondary" onClick={look}>
            {t('map.show')}
          </Button>
        </div>
      )}
      {isWanted && state === 'loading' && <p className={`${styles.waiting} needs-script`}>{t('map.loading')}</p>}
      {state === 'failed' && (
        <div className={styles.waiting}>
          <Notice kind="info" title={t('map.failed')} />
        </div>
      )}
      <WithoutScript>
        <p className={styles.waiting}>{t('map.noScript')}</p>
      </WithoutScript>
    </div>
  );
}
