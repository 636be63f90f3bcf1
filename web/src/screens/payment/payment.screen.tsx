import { dualCurrency } from '@portal/domain/constants.ts';
import { paths, paymentMethodPath, statusPath, withQuery } from '@portal/domain/paths.ts';
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { askedWords, correctionPath } from '../../features/await-approval/asked-words.ts';
import { OrderLine } from '../../features/order-summary/order-line.tsx';
import { OrderSummary } from '../../features/order-summary/order-summary.tsx';
import { messageOr } from '../../lib/api.ts';
import { sessionCache } from '../../lib/cache.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage, WithoutScript } from '../../lib/page.tsx';
import { type ScreenProps, ThrownResponse } from '../../lib/screen.ts';
import { type QueryData, session } from '../../lib/session.ts';
import { theme } from '../../lib/theme.ts';
import { useCall } from '../../lib/use-call.ts';
import { deferred, retrying } from '../../loading/deferred.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ArrowLeftIcon, CardIcon, PhoneIcon, WalletIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Steps } from '../../ui/steps.tsx';
import { AirtimePanel } from './airtime-panel.tsx';
import { CardPanel } from './card-panel.tsx';
import { CurrencyChoice } from './currency-choice.tsx';
import { MpesaPanel } from './mpesa-panel.tsx';
import { CannotHere, type PanelProps } from './panel-form.tsx';
import styles from './payment.module.css';
import {
  type Converted,
  chosenOption,
  fetchOptions,
  isSameOrder,
  methodOf,
  type OptionGroup,
  type OptionType,
  offeredFor,
  optionGroups,
  optionsBody,
  type PaymentLoaded,
  type PaymentOptions,
  type PaymentOrder,
  pgOptionsOf,
  routeOf,
} from './payment-order.ts';
import { useConversion } from './use-conversion.ts';
import { useEarlierTry } from './use-earlier-try.ts';
import { WalletPanel } from './wallet-panel.tsx';

/** Only operators with a popup gateway need it, and only once a payment has begun. */
const PopupPayment = lazy(() =>
  retrying(() => import('./popup-payment.tsx')).then((module) => ({ default: module.PopupPayment })),
);

// The longest of the forms, behind one tap.
const loadSmartCash = () => import('./smartcash-panel.tsx').then((module) => module.SmartCashPanel);
const loadWalletPin = () => import('./wallet-pin-panel.tsx').then((module) => module.WalletPinPanel);
const SmartCashPanel = import.meta.env.SSR ? await loadSmartCash() : deferred(loadSmartCash);
const WalletPinPanel = import.meta.env.SSR ? await loadWalletPin() : deferred(loadWalletPin);

/** Long enough for a person who looks at one method after another. */
const keepOptionsSeconds = 60;

export function Screen({ loaded }: ScreenProps<PaymentLoaded>) {
  const page = usePage();
  const { operator, path, query } = page;
  const hydrated = useHydrated();
  const order = loaded?.order ?? (hydrated ? session.order.read() : null);
  const method = methodOf(path, operator);
  if (method === 'unknown') throw new ThrownResponse(404, 'Not Found');

  // A page restored from the back/forward cache still has its busy state.
  useEffect(() => {
    const showAnew = (event: PageTransitionEvent) => {
      if (event.persisted) window.location.reload();
    };
    window.addEventListener('pageshow', showAnew);
    return () => window.removeEventListener('pageshow', showAnew);
  }, []);

  // An order that came in the URL, before hydration, is moved to the session.
  const sealed = loaded?.order;
  useEffect(() => {
    if (sealed && !isSameOrder(session.order.read(), sealed)) session.order.write(sealed);
  }, [sealed]);

  if (method === 'PG' && query.resume)
    return hydrated ? (
      <Suspense fallback={<Skeleton height={320} />}>
        <PopupPayment transactionId={query.resume} />
      </Suspense>
    ) : (
      <>
        <WithoutScript>
          <CannotHere reason="needsScript" />
        </WithoutScript>
        <Skeleton height={320} />
      </>
    );
  if (order) return <Payment order={order} loaded={loaded} />;
  // With script the order may be in the session; without, there is none.
  return hydrated ? (
    <NothingToPay />
  ) : (
    <>
      <WithoutScript>
        <NothingToPay />
      </WithoutScript>
      <Skeleton height={320} />
    </>
  );
}

function NothingToPay() {
  const { t } = usePage();
  return (
    <div className="lit-box">
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
    </div>
  );
}

interface PaymentProps {
  order: QueryData;
  loaded: PaymentLoaded | undefined;
}

function Payment({ order, loaded }: PaymentProps) {
  const { t, query, operator, navigate } = usePage();
  const formats = useFormats();
  const hydrated = useHydrated();
  const [earlier, payOtherwise] = useEarlierTry(hydrated && isSameOrder(session.order.read(), order), (id) =>
    navigate(statusPath(id), { replace: true }),
  );
  const { converted, renew } = useConversion(order, loaded?.converted ?? null);
  // Under the keys of the specification.
  const isDual = operator.secondCurrency !== undefined;
  useEffect(() => {
    if (isDual)
      session.order.change({ enableDualCurrency: true, usdAmount: order.amount / dualCurrency.unitsPerMajor });
  }, [isDual, order.amount]);
  useEffect(() => theme.show(order.theme), [order.theme]);
  const correction = earlier.state === 'open' && correctionPath(earlier.transaction, operator);
  const paying = payingIn(query.currency, { order, converted, renew });
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
      {earlier.state === 'failed' && (
        <Notice kind="info" role="status" title={t('payment.earlierFailed')}>
          {t('payment.then.otherWay')}
        </Notice>
      )}
      <div className={styles.columns}>
        <aside className={styles.summary} aria-labelledby="summary">
          <Card>
            <h2 id="summary">{t('payment.summary')}</h2>
            <details className={styles.fold}>
              <summary>
                <OrderLine order={paying} />
              </summary>
              <OrderSummary order={order} charged={paying.charged} />
            </details>
            {operator.secondCurrency && (
              <CurrencyChoice order={paying} converted={converted} token={loaded?.token ?? null} onAgain={renew} />
            )}
          </Card>
        </aside>
        {earlier.state === 'asking' && <Skeleton height={80} />}
        {'transactionId' in earlier && (
          <div className={styles.earlier}>
            <Notice
              kind="process"
              role="status"
              title={t(`payment.earlier.${earlier.state}`)}
              action={
                <>
                  <ButtonLink as={Link} href={statusPath(earlier.transactionId)}>
                    {t('payment.seePayment')}
                  </ButtonLink>
                  {earlier.state === 'open' && (
                    <Button kind="secondary" onClick={() => payOtherwise()}>
                      {t('payment.payOtherwise')}
                    </Button>
                  )}
                  {correction && (
                    <Button
                      kind="quiet"
                      onClick={() => {
                        payOtherwise(true);
                        // Rendered with the session's order, because an earlier attempt is only known with it.
                        navigate(`${correction}?correct=1`, { replace: true, stay: true });
                      }}
                    >
                      {t('payment.wrongNumber')}
                    </Button>
                  )}
                </>
              }
            >
              {earlier.state === 'open' && <p>{askedWords(earlier.transaction, { t, formats, operator })}</p>}
              {t(`payment.earlier.${earlier.state}Text`)}
            </Notice>
          </div>
        )}
        {(earlier.state === 'none' || earlier.state === 'failed') && <Ways order={paying} loaded={loaded} />}
      </div>
    </div>
  );
}

/** The price, or its amount in the currency that the URL names. */
function payingIn(
  currency: string | undefined,
  { order, converted, renew }: { order: QueryData; converted: Converted | 'failed' | null; renew: () => void },
): PaymentOrder {
  if (!converted || converted === 'failed' || converted.toCurrency !== currency) return order;
  const { convertedAmount: amount, quote: exchangeQuote } = converted;
  return { ...order, charged: { amount, currency, exchangeQuote, renew } };
}

/** Set by a tap on a section: its form is then scrolled into view, below the sections before it. */
let wasChosenHere = false;

const panels: Record<OptionType, ComponentType<PanelProps>> = {
  PG: CardPanel,
  AIRTIME: AirtimePanel,
  AM: WalletPanel,
  MPESA: MpesaPanel,
  SMARTCASH_SECURE: SmartCashPanel,
};

function Ways({ order, loaded }: Pick<PaymentProps, 'loaded'> & { order: PaymentOrder }) {
  const { t, operator, query, path } = usePage();
  const [answer, askAgain] = useOptions(order, loaded);
  const isThere = answer !== null && 'paymentOption' in answer;
  const { paymentOption: options, closed = [] } = isThere ? answer : { paymentOption: [] };
  const offered = offeredFor(order, options, operator);
  const chosen = chosenOption(offered, path, operator);
  const groups = optionGroups(offered, operator);
  const open = chosen && groups.find(({ route }) => route === routeOf(chosen, operator));
  const token = loaded?.token ?? null;
  const { channel, pg } = query;
  const hasPin = operator.features.enableAmPin;
  // A URL that asks for one gateway contains nothing of the order.
  const isWhole = isThere && !order.pgOptions && !channel && !pg;
  useEffect(() => {
    if (isWhole) session.order.change({ pgOptions: pgOptionsOf(options) });
  }, [isWhole, options]);
  const panel = useRef<HTMLDivElement>(null);
  const isShown = chosen !== null;
  useEffect(() => {
    if (!isShown || !wasChosenHere) return;
    wasChosenHere = false;
    panel.current?.scrollIntoView({ block: 'nearest' });
    // Its fields come next.
    panel.current?.focus({ preventScroll: true });
  }, [isShown]);
  const nameOf = ({ type, name }: Pick<OptionGroup, 'type' | 'name'>) =>
    name ?? t(`payment.group.${type}`, { brand: operator.brand.name });
  const isByPin = ({ type }: Pick<OptionGroup, 'type'>) => type === 'AM' && hasPin;
  const Panel = open && (isByPin(open) ? WalletPinPanel : panels[open.type]);

  return (
    <>
      {answer === null && <Skeleton height={80} />}
      {answer !== null && !isThere && (
        <Notice
          kind="failure"
          title={messageOr(answer, t('payment.optionsFailed'))}
          role="alert"
          action={<Button onClick={askAgain}>{t('common.tryAgain')}</Button>}
        >
          {t('payment.nothingTaken')}
        </Notice>
      )}
      {offered.length > 0 && !chosen && (
        <div className={styles.panel}>
          <Notice kind="info" title={t('payment.notOffered')} />
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of one form, these are links */}
      <div role="group" className={styles.group} aria-label={t('payment.ways')}>
        <div className={styles.ways}>
          {groups.map(({ route, health, ...group }) => (
            <MethodLink
              key={route}
              href={withQuery(paymentMethodPath(route), {
                order: token,
                channel,
                pg,
                currency: order.charged?.currency,
              })}
              route={route}
              isChosen={open?.route === route}
              icon={group.type === 'PG' && !group.name ? CardIcon : group.type === 'AIRTIME' ? PhoneIcon : WalletIcon}
              name={nameOf(group)}
              next={t(`payment.next.${isByPin(group) ? 'AM_PIN' : group.name ? 'GATEWAY' : group.type}`, {
                gateway: nameOf(group),
              })}
              health={health}
            />
          ))}
          {closed.map(({ name, text }) => (
            <div key={name} className={styles.closed}>
              <Notice kind="process" title={name}>
                {text}
              </Notice>
            </div>
          ))}
        </div>
        {open && Panel && (
          <section key={open.route} className={styles.panel} aria-label={nameOf(open)} ref={panel} tabIndex={-1}>
            <Suspense fallback={<Skeleton height={320} />}>
              <Panel order={order} options={open.options} route={open.route} token={token} />
            </Suspense>
          </section>
        )}
      </div>
    </>
  );
}

/** Rendered by the server, cached a moment ago, or requested now. */
function useOptions(order: QueryData, loaded: PaymentLoaded | undefined) {
  const { api, query } = usePage();
  const hydrated = useHydrated();
  const { channel = '', pg = '' } = query;
  const key = `payment-options:${JSON.stringify([optionsBody(order), channel, pg])}`;
  const known = loaded?.options ?? (hydrated ? sessionCache.read<PaymentOptions>(key) : null);
  const call = useCall<PaymentOptions>(known ? null : key, async (signal) => {
    const answer = await fetchOptions(api, order, query, signal);
    if (answer.ok) sessionCache.write(key, answer.result, keepOptionsSeconds);
    return answer;
  });
  const requested = call.state === 'loaded' ? call.result : call.state === 'failed' ? call.failure : null;
  const told = hydrated ? null : (loaded?.failure ?? null);
  return [known ?? requested ?? told, call.retry] as const;
}

interface MethodLinkProps {
  href: string;
  /** The method whose mark and colour are shown. */
  route: string;
  isChosen: boolean;
  icon: typeof CardIcon;
  name: string;
  next: string;
  health: OptionGroup['health'];
}

function MethodLink({ href, route, isChosen, icon: Icon, name, next, health }: MethodLinkProps) {
  const { navigate, t } = usePage();
  return (
    <Link
      href={href}
      className={styles.method}
      data-way={route}
      aria-current={isChosen ? 'page' : undefined}
      onClick={(event) => {
        event.preventDefault();
        wasChosenHere = true;
        // Where storage is unavailable, the order stays in the URL, and only the server can read it there.
        if (session.order.read()) navigate(href, { replace: true, stay: true });
        else window.location.replace(event.currentTarget.href);
      }}
    >
      <Icon />
      <span>
        <strong>{name}</strong>
        <span className={styles.next}>{next}</span>
        {health && (
          <span className={styles.health} data-health={health}>
            {t(`payment.health.${health}`)}
          </span>
        )}
      </span>
    </Link>
  );
}
