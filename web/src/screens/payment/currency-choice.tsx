import { formatRate } from '@portal/domain/exchange.ts';
import { withQuery } from '@portal/domain/paths.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import { session } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './payment.module.css';
import { type Converted, chargeOf, type PaymentOrder } from './payment-order.ts';

interface CurrencyChoiceProps {
  order: PaymentOrder;
  converted: Converted | 'failed' | null;
  token: string | null;
  onAgain: () => void;
}

/** Both currencies, each with the order's amount, and the exchange rate. Links, so that it works without script. */
export function CurrencyChoice({ order, converted, token, onAgain }: CurrencyChoiceProps) {
  const { t, operator, language, path, query, navigate } = usePage();
  const formats = useFormats();
  const chosen = chargeOf(order).currency;
  if (converted === null) return <Skeleton height={96} />;
  if (converted === 'failed')
    return (
      <div className={styles.currency}>
        <p>
          {t('payment.conversionFailedText', { currency: operator.secondCurrency?.code ?? '', other: order.currency })}
        </p>
        <Button kind="quiet" onClick={onAgain}>
          {t('common.tryAgain')}
        </Button>
      </div>
    );
  const { fromCurrency, toCurrency, convertedAmount, rate, rateAt } = converted;
  const sums = [
    { currency: fromCurrency, amount: order.amount, named: null },
    { currency: toCurrency, amount: convertedAmount, named: toCurrency },
  ];
  const { channel, pg } = query;
  return (
    <div className={styles.currency}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of one form, these are links */}
      <div role="group" aria-label={t('payment.currency')} className={styles.currencies}>
        {sums.map(({ currency, amount, named }) => {
          const href = withQuery(path, { order: token, channel, pg, currency: named });
          return (
            <Link
              key={currency}
              href={href}
              className={styles.sum}
              aria-current={currency === chosen ? 'true' : undefined}
              onClick={(event) => {
                // Where storage is unavailable, the order stays in the URL, and only the server can read it there.
                if (!session.order.read()) return;
                event.preventDefault();
                navigate(href, { replace: true, stay: true });
              }}
            >
              {formats.money(amount, currency)}
            </Link>
          );
        })}
      </div>
      <p className={styles.rate}>
        {t('payment.rateAt', {
          rate: formatRate({ from: fromCurrency, to: toCurrency, value: rate }, language.formats),
          time: formats.dateTime(rateAt),
        })}
      </p>
    </div>
  );
}
