import { statusPath } from '@portal/domain/paths.ts';
import { useToast } from '../../features/toast/use-toast.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import styles from './payment-status.module.css';

/** The receipt is a link and works before script; sharing and printing are the phone's own, where it has them. */
export function ReceiptActions({ id, text }: { id: string; text: string }) {
  const { t, language, href } = usePage();
  const hydrated = useHydrated();
  const toast = useToast();

  async function share() {
    const url = new URL(href(statusPath(id)), location.href).href;
    if ('share' in navigator) {
      // Whoever closes the phone's own sheet has decided; there is nothing to tell.
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
