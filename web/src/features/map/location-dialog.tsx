import { mapDefaults } from '@portal/domain/constants.ts';
import type { Point } from '@portal/domain/geo.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { nameOfPoint } from './find-place.ts';
import styles from './location-dialog.module.css';
import type { PickedLocation } from './location-picker.ts';
import { useMapTexts } from './map-view.tsx';

export interface LocationDialogProps {
  open: boolean;
  /** 'Confirm installation address' by default. */
  title?: string;
  /** Initial position of the pin; the middle of the country by default. */
  start?: Point | null;
  zoom?: number;
  onClose: () => void;
  onConfirm: (location: PickedLocation) => void;
}

/** Places a pin: by dragging it, by a tap, or with the arrow keys. */
export function LocationDialog({ open, title, start, zoom, onClose, onConfirm }: LocationDialogProps) {
  const { t } = usePage();
  const [picked, setPicked] = useState<PickedLocation | null>(null);
  return (
    <Dialog
      open={open}
      title={title ?? t('map.confirmAddress')}
      onClose={onClose}
      closeLabel={t('common.close')}
      actions={
        <Button disabled={!picked} onClick={() => picked && onConfirm(picked)}>
          {t('map.continue')}
        </Button>
      }
    >
      {open && <Picker start={start ?? null} zoom={zoom ?? mapDefaults.leadZoom} onPicked={setPicked} />}
      <p role="status" className={styles.address}>
        {picked ? picked.address || t('map.unknownAddress') : t('map.loading')}
      </p>
    </Dialog>
  );
}

function Picker({
  start,
  zoom,
  onPicked,
}: {
  start: Point | null;
  zoom: number;
  onPicked: (at: PickedLocation) => void;
}) {
  const { t, operator, api } = usePage();
  const place = useRef<HTMLDivElement>(null);
  const texts = useMapTexts(t('map.label'));

  // The element is created once and keeps its own state.
  const make = useEffectEvent(() => {
    const node = place.current;
    const abort = new AbortController();
    const onChanged = (event: Event) => onPicked((event as CustomEvent<PickedLocation>).detail);
    import('./map-parts.ts').then(({ createLocationPicker, locationChanged }) => {
      if (abort.signal.aborted || !node) return;
      node.addEventListener(locationChanged, onChanged, { signal: abort.signal });
      node.replaceChildren(
        createLocationPicker({
          map: operator.map,
          texts,
          pinLabel: t('map.pin'),
          start: start ?? operator.map.centre,
          zoom,
          nameOf: (point) => nameOfPoint(api, point, abort.signal),
        }),
      );
    });
    return () => {
      abort.abort();
      node?.replaceChildren();
    };
  });
  useEffect(() => make(), []);

  return (
    <>
      <p className={styles.help}>{t('map.pinHelp')}</p>
      <div ref={place} className={styles.map} />
    </>
  );
}
