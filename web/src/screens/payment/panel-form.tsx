import * as errorCodes from '@portal/contract/error-codes.ts';
import { paymentMethodPath, statusPath, withQuery } from '@portal/domain/paths.ts';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { askedWords } from '../../features/await-approval/asked-words.ts';
import { AwaitApproval } from '../../features/await-approval/await-approval.tsx';
import type { Failure } from '../../lib/api.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import type { QueryData } from '../../lib/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FreshCodeDialog, FreshCodeFields } from './fresh-code.tsx';
import { readFailure } from './payment-failure.ts';
import { chargeOf, type PaymentOption, type PaymentOrder } from './payment-order.ts';
import type { CheckoutActions } from './use-checkout.ts';

export interface PanelProps {
  order: PaymentOrder;
  /** The options of one type, sorted; cards may have several. */
  options: readonly [PaymentOption, ...PaymentOption[]];
  /** Last segment of this method's URL. */
  route: string;
  token: string | null;
}

interface PanelFormProps extends Pick<PanelProps, 'order' | 'route' | 'token'> {
  checkout: CheckoutActions;
  /** The failure of the method's own flow; otherwise the checkout's is shown. */
  failure?: Failure | null;
  onSubmit: () => void;
  /** Outside the form, because they contain forms. */
  dialogs?: ReactNode;
  children: ReactNode;
}

/** A real form, with errors above its fields and the questions that every method may have to ask. */
export function PanelForm({ order, route, token, checkout, failure, onSubmit, dialogs, children }: PanelFormProps) {
  const page = usePage();
  const formats = useFormats();
  const charge = chargeOf(order);
  const { channel, pg } = page.query;
  const { charged } = order;
  const { state } = checkout;
  const told = failure ?? (state.at === 'form' ? state.failure : null);
  const isCorrected = state.at === 'form' && (state.isCorrected || page.query.correct);
  const isRepeat = told?.code === errorCodes.paidRecently;
  const posted = page.form?.values;
  const isCodeAsked = posted?.refId !== undefined && posted.refId !== '';
  const element = useRef<HTMLFormElement>(null);
  // When correcting a number the focus is in its field, not on the button that would send the wrong one again.
  useEffect(() => {
    if (isCorrected) element.current?.querySelector<HTMLInputElement>('[name=paymentMobile]')?.select();
  }, [isCorrected]);
  // Above the fields, while the tapped button is at the foot of the screen.
  const isTold = told !== null;
  useEffect(() => {
    if (isTold) element.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' });
  }, [isTold]);
  return (
    <Card>
      <form
        ref={element}
        method="post"
        action={page.href(withQuery(paymentMethodPath(route), { channel, pg, currency: charged?.currency }))}
        onSubmit={(event: FormEvent) => {
          // Values rendered by the server without script are posted unchanged.
          if (isCodeAsked) return;
          event.preventDefault();
          onSubmit();
        }}
        noValidate
      >
        {token && <input type="hidden" name="order" value={token} />}
        {charged && (
          <>
            <input type="hidden" name="currency" value={charged.currency} />
            <input type="hidden" name="chargedAmount" value={charged.amount} />
            <input type="hidden" name="exchangeQuote" value={charged.exchangeQuote} />
          </>
        )}
        {isRepeat && <input type="hidden" name="confirmRepeat" value="yes" />}
        {told && (isRepeat ? <RepeatNotice failure={told} /> : <FailureNotice failure={told} order={order} />)}
        {isCorrected && (
          <Notice kind="info" role="status" title={page.t('payment.corrected')}>
            {page.t('payment.correctedText')}
          </Notice>
        )}
        {isCodeAsked ? <FreshCodeFields amount={formats.money(charge.amount, charge.currency)} /> : children}
      </form>
      {dialogs}
      {state.at === 'repeat' && <RepeatDialog checkout={checkout} earlierId={state.earlierId} />}
      {state.at === 'code' && <FreshCodeDialog order={order} {...state} />}
      {state.at === 'waiting' && (
        <AwaitApproval
          transactionId={state.transactionId}
          amount={formats.money(charge.amount, charge.currency)}
          asked={askedWords(
            {
              amount: charge.amount,
              currencyCode: charge.currency,
              payer: formats.group(state.number),
              ...state.option,
            },
            { t: page.t, formats, operator: page.operator },
          )}
          maxTries={page.operator.paymentMaxTry}
          onOver={() => checkout.toStatus(state.transactionId)}
          onCorrect={state.isProved ? undefined : checkout.correct}
        />
      )}
    </Card>
  );
}

/** What happened, that nothing was taken, and the one next step. */
function FailureNotice({ failure, order }: { failure: Failure; order: QueryData }) {
  const { t } = usePage();
  const { key, next } = readFailure(failure);
  return (
    <Notice
      kind="failure"
      role="alert"
      title={key ? t(key) : failure.message}
      action={
        next === 'chooseAgain' && (
          <ButtonLink as={Link} href={order.redirectPage} kind="secondary">
            {t('payment.chooseAgain')}
          </ButtonLink>
        )
      }
    >
      {`${t('payment.nothingTaken')} ${t(`payment.then.${next}`)}`}
    </Notice>
  );
}

/** Without script: a link to the earlier payment, and the same form again to pay once more. */
function RepeatNotice({ failure }: { failure: Failure }) {
  const { t } = usePage();
  return (
    <Notice
      kind="process"
      role="alert"
      title={t('payment.repeat')}
      action={
        <ButtonLink as={Link} href={statusPath(failure.earlierTransactionId ?? '')} kind="secondary">
          {t('payment.openEarlier')}
        </ButtonLink>
      }
    >
      {t('payment.repeatForm')}
    </Notice>
  );
}

function RepeatDialog({ checkout, earlierId }: { checkout: CheckoutActions; earlierId: string }) {
  const { t } = usePage();
  return (
    <Dialog
      open
      title={t('payment.repeat')}
      closeLabel={t('common.close')}
      onClose={checkout.leaveQuestion}
      actions={
        <>
          <Button kind="secondary" onClick={checkout.payAgain}>
            {t('payment.payAgain')}
          </Button>
          <ButtonLink as={Link} href={statusPath(earlierId)}>
            {t('payment.openEarlier')}
          </ButtonLink>
        </>
      }
    >
      <p>{t('payment.repeatText')}</p>
    </Dialog>
  );
}

/** Shown where a page without script, or without a secure connection, cannot offer this method. */
export function CannotHere({ reason }: { reason: 'needsScript' | 'needsSafety' }) {
  const { t } = usePage();
  return (
    <Notice kind="info" title={t(`payment.${reason}`)}>
      {t('payment.then.otherWay')}
    </Notice>
  );
}
