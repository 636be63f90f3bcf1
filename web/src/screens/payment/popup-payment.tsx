import { statusPath } from '@portal/domain/paths.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { callbackAddress, openPopup, type PopupEnd } from './paystack-popup.ts';

/**
 * The gateway's popup, over a page loaded from the server, because only the card page's own policy allows its script.
 * Repeating the call for a payment that was begun changes nothing: it returns the popup's data again.
 */
export function PopupPayment({ transactionId }: { transactionId: string }) {
  const { t, api, navigate } = usePage();
  const [round, setRound] = useState(0);
  const [hasFailed, setFailed] = useState(false);

  const open = useEffectEvent(async (_round: number, signal: AbortSignal) => {
    const answer = await api('process', {
      body: { transactionId, isSubscriberRequest: true, proccessFlag: true },
      signal,
    });
    if (signal.aborted) return;
    if (!answer.ok) return setFailed(true);
    const { popup } = answer.result;
    if (!popup) return navigate(statusPath(transactionId), { replace: true });
    const end = (how: PopupEnd) => window.location.assign(callbackAddress(transactionId, popup, how));
    await openPopup(popup, end).catch(() => setFailed(true));
  });

  useEffect(() => {
    const abort = new AbortController();
    open(round, abort.signal);
    return () => abort.abort();
  }, [round]);

  const toStatus = (
    <ButtonLink as={Link} href={statusPath(transactionId)} kind="secondary">
      {t('payment.openEarlier')}
    </ButtonLink>
  );
  if (!hasFailed)
    return (
      <Notice kind="process" large role="status" title={<h1>{t('payment.toGateway')}</h1>} action={toStatus}>
        {t('payment.popupText')}
      </Notice>
    );
  return (
    <Notice
      kind="failure"
      large
      role="alert"
      title={<h1>{t('payment.popupFailed')}</h1>}
      action={
        <>
          <Button
            onClick={() => {
              setFailed(false);
              setRound(round + 1);
            }}
          >
            {t('common.tryAgain')}
          </Button>
          {toStatus}
        </>
      }
    >
      {t('payment.nothingTaken')}
    </Notice>
  );
}
