import { useEffect, useState } from 'react';
import { useFormats, usePage } from '../lib/page.tsx';
import { Button } from '../ui/button.tsx';
import { CrossIcon } from '../ui/icon.tsx';
import styles from './bars.module.css';
import { useBusyForm, usePayingLock } from './busy.ts';
import { isUpdateUnwelcome } from './busy-rules.ts';
import { changeVersion, forgetWorker, keepWhatIsShown, startWorker } from './registration.ts';
import { useTypedKept } from './typed.ts';

const lookAgainMs = 3_600_000;

/** Messages of the worker to the visitor. Lazy, after everything else. */
export function Bars({ hasWorker }: { hasWorker: boolean }) {
  const { operator, language, path } = usePage();
  useTypedKept(path);
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);

  useEffect(() => {
    if (!navigator.serviceWorker) return;
    if (!hasWorker) return void forgetWorker().catch(() => {});
    let lookedAt = Date.now();
    let again = () => {};
    startWorker(setWaiting).then(
      (registration) => {
        again = () => {
          if (document.hidden || Date.now() - lookedAt < lookAgainMs) return;
          lookedAt = Date.now();
          registration.update().catch(() => {});
        };
      },
      // A browser that forbids service workers continues without one.
      () => {},
    );
    const onVisible = () => again();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [hasWorker]);

  useEffect(() => {
    if (hasWorker && navigator.serviceWorker) keepWhatIsShown(operator, language).catch(() => {});
  }, [hasWorker, operator, language]);

  return (
    <>
      <KeptCopy />
      <NewVersion waiting={waiting} />
    </>
  );
}

/** A cached page says how old it is, until another screen is opened. */
function KeptCopy() {
  const { t, path } = usePage();
  const { dateTime } = useFormats();
  const [first] = useState(path);
  const since = document.documentElement.dataset.kept;
  if (!since || path !== first) return null;
  return (
    <p role="status" className={styles.kept}>
      {t('common.keptCopy', { time: dateTime(since) })}
    </p>
  );
}

/** Shown while offline, only if there is input that could be lost. */
export function TypedKept() {
  const { t, path } = usePage();
  return useBusyForm(path) && t('common.typedKept');
}

function NewVersion({ waiting }: { waiting: ServiceWorker | null }) {
  const { t, path } = usePage();
  const [isDismissed, setDismissed] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const isFilling = useBusyForm(path);
  usePayingLock(path);
  const isShown = waiting && !isDismissed && !isUpdateUnwelcome(path, isFilling);
  return (
    <div role="status">
      {isShown && (
        <div className={styles.update}>
          <span>{t('common.newVersion')}</span>
          <Button
            kind="secondary"
            busy={isChanging}
            onClick={() => {
              setChanging(true);
              changeVersion(waiting);
            }}
          >
            {t('common.reload')}
          </Button>
          <button type="button" onClick={() => setDismissed(true)} aria-label={t('common.close')}>
            <CrossIcon size={20} />
          </button>
        </div>
      )}
    </div>
  );
}
