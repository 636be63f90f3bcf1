import { statusPath } from '@portal/domain/paths.ts';
import { useToast } from '../../features/toast/use-toast.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import styles from './payment-status.module.css';

/** The reference that customer care asks for, and that the search page takes. */
export function CopyReference({ reference }: { reference: string }) {
  const { t } = usePage();
  const toast = useToast();
  return (
    <Button
      kind="quiet"
      onClick={() =>
        (navigator as Navigator).clipboard?.writeText(reference).then(
          () => toast.done(t('status.referenceCopied')),
          () => {},
        )
      }
    >
      {t('status.copyReference')}
    </Button>
  );
}

/**
 * The receipt is a link that works without script; sharing and printing use the phone's own features, where it has
 * them.
 */
export function ReceiptActions({ id, text }: { id: string; text: string }) {
  const { t, language, href } = usePage();
  const hydrated = useHydrated();
  const toast = useToast();

  async function share() {
    const url = new URL(href(statusPath(id)), location.href).href;
    if ('share' in navigator) {
      // Closing the share sheet is a decision, not an error.
      await navigator.share({ title: document.title, text, url }).then(
        () => toast.done(t('status.shared')),
        () => {},
      );
      return;
    }
    await (navigator as Navigator).clipboard?.writeText(url).then(
      () => toast.done(t('status.copied')),
      () => {},
    );
  }

  return (
    <div className={styles.receipt}>
      <ButtonLink href={`/receipts/${id}.pdf?lang=${language.code.toLowerCase()}`} kind="secondary" target="_blank">
        {t('status.receipt')}
      </ButtonLink>
      {hydrated && (
        <>
          <Button kind="secondary" onClick={share}>
            {t('status.share')}
          </Button>
          <Button kind="quiet" onClick={() => window.print()}>
            {t('status.print')}
          </Button>
        </>
      )}
    </div>
  );
}
