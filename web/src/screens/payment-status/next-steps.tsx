import { paths, withQuery } from '@portal/domain/paths.ts';
import { correctionPath } from '../../features/await-approval/asked-words.ts';
import { anotherOrder, canRepeat } from '../../features/recent-purchases/recents.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import { type QueryData, session } from '../../lib/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import styles from './payment-status.module.css';
import { flowOf, isUnsent, outcomeOf, type Transaction } from './status-words.ts';

export interface NextStepsProps {
  transaction: Transaction;
  /** For a payment of this visit. */
  order: QueryData | null;
  token: string | undefined;
  /** The order continues on another page and is not cleared by leaving this one. */
  onTakenAlong: () => void;
}

/** The most helpful next step first, then the others. */
export function NextSteps({ transaction, order, token, onTakenAlong }: NextStepsProps) {
  const { t, operator, navigate } = usePage();
  const formats = useFormats();
  const hydrated = useHydrated();
  const { transactionId: id, final, moneyState, sameOrder, left, declined, unopened } = transaction;
  const outcome = outcomeOf(transaction.status);
  const isPaidByOther = sameOrder?.kind === 'paidBy';
  const isBack = final && moneyState === 'givenBack';
  const isUnpaid = final && moneyState === 'notTaken';
  const isNotSent = isUnsent(transaction);
  // Cancelled at the bank's page, or the prompt never came: the payment page says that this payment is open, and
  // asks.
  const isUndecided = !final && moneyState === 'awaitingApproval';
  const isAsked = isUndecided && !isNotSent && !left && !declined && !unopened;
  // A reason on an open payment explains why a person is reviewing it.
  const isHeld = outcome === 'process' && transaction.statusReason;

  /** Pays the same order with another method; at most one of its payments is delivered. */
  function payAgain(again: QueryData, path: string = paths.paymentStart): boolean {
    if (!session.order.write(again)) return false;
    onTakenAlong();
    navigate(path);
    return true;
  }

  const mayRepeat = (outcome === 'success' || isBack) && !isPaidByOther;
  const again = hydrated && mayRepeat && order && canRepeat(order) ? anotherOrder(order) : null;
  // Nothing was taken, or nothing yet: the other methods are one tap away, and without script too, by the sealed
  // order.
  const otherWays = order && (isUnpaid || isUndecided || isNotSent) && !isPaidByOther && (hydrated || token) && (
    <ButtonLink
      as={Link}
      href={withQuery(paths.paymentStart, { order: token })}
      // While the request is on the phone, approving it there is the step.
      kind={isAsked ? 'secondary' : 'primary'}
      onClick={(event) => {
        if (payAgain(order)) event.preventDefault();
      }}
    >
      {t(isNotSent ? 'status.payNow' : 'status.payAgain')}
    </ButtonLink>
  );
  const correction = isUndecided && otherWays && correctionPath(transaction, operator);
  const startAgain = isBack && !again && !isPaidByOther && (
    <ButtonLink as={Link} href={flowOf(transaction)}>
      {t('status.tryAgain')}
    </ButtonLink>
  );
  const isFirstToAsk = !(otherWays || again || startAgain);
  const ask = (isHeld || isBack) && (
    <ButtonLink
      as={Link}
      href={hydrated || final ? '#question' : `${withQuery(paths.paymentStatus, { id, ask: '1' })}#question`}
      kind={isFirstToAsk ? 'primary' : 'secondary'}
    >
      {t('status.ask')}
    </ButtonLink>
  );
  return (
    <div className={styles.actions}>
      {otherWays}
      {correction && order && (
        <ButtonLink
          as={Link}
          href={withQuery(correction, { order: token, correct: '1' })}
          kind="secondary"
          onClick={(event) => {
            // The link opens the form directly: it does not ask again whether the first request should continue.
            session.submitted.clear();
            if (payAgain(order, withQuery(correction, { correct: '1' }))) event.preventDefault();
          }}
        >
          {t('payment.wrongNumber')}
        </ButtonLink>
      )}
      {again && (
        <Button onClick={() => payAgain(again)}>
          {t('status.again', { amount: formats.money(transaction.amount, transaction.currencyCode) })}
        </Button>
      )}
      {startAgain}
      {ask}
      <ButtonLink
        as={Link}
        href={order?.redirectPage ?? (startAgain ? paths.home : flowOf(transaction))}
        kind={isFirstToAsk && !ask ? 'primary' : 'secondary'}
      >
        {t('status.return')}
      </ButtonLink>
      <ButtonLink as={Link} href={paths.help} kind="secondary">
        {t('status.help', { care: operator.care.number })}
      </ButtonLink>
    </div>
  );
}
