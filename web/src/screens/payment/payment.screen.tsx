import { useEffect, useState } from 'react';
import { OrderSummary } from '../../features/order-summary/order-summary.tsx';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { paths, paymentMethodPath, withQuery } from '../../lib/paths.ts';
import { type ScreenProps, ThrownResponse } from '../../lib/screen.ts';
import { session } from '../../lib/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ArrowLeftIcon, CardIcon, PhoneIcon, WalletIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Steps } from '../../ui/steps.tsx';
import styles from './payment.module.css';
import {
  chosenOption,
  methodOf,
  optionGroups,
  optionsBody,
  type PaymentLoaded,
  type PaymentOption,
} from './payment-order.ts';
import { WalletPanel } from './wallet-panel.tsx';

export function Screen({ loaded }: ScreenProps<PaymentLoaded>) {
  const page = usePage();
  const { t, api, operator, path } = page;
  const hydrated = useHydrated();
  const order = loaded?.order ?? (hydrated ? session.order.read() : null);
  const [fetched, setFetched] = useState<PaymentOption[] | 'failed' | null>(null);
  const [round, setRound] = useState(0);
  const options = loaded?.options ?? fetched;
  const method = methodOf(path, operator);
  if (method === 'unknown') throw new ThrownResponse(404, 'Not Found');

  const body = order && !options ? JSON.stringify(optionsBody(order)) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks again
  useEffect(() => {
    if (!body) return;
    const abort = new AbortController();
    api('paymentOptions', { body: JSON.parse(body), signal: abort.signal }).then((answer) => {
      if (!abort.signal.aborted) setFetched(answer.ok ? answer.result.paymentOption : 'failed');
    });
    return () => abort.abort();
  }, [api, body, round]);

  if (!order) {
    const nothing = (
      <Notice
        kind="info"
        large
        title={<h1>{t('payment.nothing')}</h1>}
        action={
          <ButtonLink as={Link} href={paths.home}>
            {t('payment.startAgain')}
          </ButtonLink>
        }
      >
        {t('payment.nothingText')}
      </Notice>
    );
    // With script the order may be waiting in the session; without, there is none.
    return hydrated ? (
      nothing
    ) : (
      <>
        <noscript>{nothing}</noscript>
        <Skeleton height={320} />
      </>
    );
  }

  const offered = Array.isArray(options) ? options : [];
  const chosen = chosenOption(offered, method);
  const nameOf = (type: PaymentOption['type']) => t(`payment.group.${type}`, { brand: operator.brand.name });

  return (
    <div className={styles.page}>
      <Link href={paths.home} className={styles.back}>
        <ArrowLeftIcon /> {t('common.back')}
      </Link>
      <Steps
        label={t('payment.steps')}
        items={[t('payment.stepDetails'), t('payment.stepPay'), t('payment.stepDone')]}
        current={1}
      />
      <h1>{t('payment.title')}</h1>
      <div className={styles.columns}>
        <aside className={styles.summary} aria-labelledby="summary">
          <Card>
            <h2 id="summary">{t('payment.summary')}</h2>
            <OrderSummary order={order} />
          </Card>
        </aside>
        {options === null && <Skeleton height={80} />}
        {options === 'failed' && (
          <Notice
            kind="failure"
            title={t('payment.optionsFailed')}
            role="alert"
            action={
              <Button
                onClick={() => {
                  setFetched(null);
                  setRound(round + 1);
                }}
              >
                {t('common.tryAgain')}
              </Button>
            }
          />
        )}
        {offered.length > 0 && !chosen && (
          <div className={styles.panel}>
            <Notice kind="info" title={t('payment.notOffered')} />
          </div>
        )}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of one form, these are addresses */}
        <div role="group" className={styles.group} aria-label={t('payment.ways')}>
          {optionGroups(offered, operator).map(({ type, route, options: [first, ...others] }) => (
            <section key={type} className={styles.group} aria-label={nameOf(type)}>
              <MethodLink
                href={withQuery(paymentMethodPath(route), { order: loaded?.token })}
                isChosen={chosen?.type === type}
                type={type}
                name={nameOf(type)}
                choices={others.length > 0 ? [first, ...others].map((option) => option?.name).join(', ') : null}
              />
              {type === 'AM' && chosen?.type === 'AM' && (
                <div className={styles.panel}>
                  <WalletPanel order={order} option={chosen} route={route} token={loaded?.token ?? null} />
                </div>
              )}
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}

interface MethodLinkProps {
  href: string;
  isChosen: boolean;
  type: PaymentOption['type'];
  name: string;
  choices: string | null;
}

function MethodLink({ href, isChosen, type, name, choices }: MethodLinkProps) {
  const { t, navigate } = usePage();
  const Icon = type === 'PG' ? CardIcon : type === 'AIRTIME' ? PhoneIcon : WalletIcon;
  return (
    <Link
      href={href}
      className={styles.method}
      aria-current={isChosen ? 'page' : undefined}
      onClick={(event) => {
        event.preventDefault();
        navigate(href, { replace: true });
      }}
    >
      <Icon />
      <span>
        <strong>{name}</strong>
        {choices && <span className={styles.choices}>{choices}</span>}
        {t(`payment.next.${type}`)}
      </span>
    </Link>
  );
}
