import { createHmac } from 'node:crypto';
import { digitsOf } from '@portal/domain/money.ts';
import { fromWire, toInternational } from '@portal/domain/msisdn.ts';
import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { billingSystem } from '../connectors/billing/index.ts';
import { cardCheckoutGateway } from '../connectors/card-checkout/index.ts';
import { airtimeGateway } from '../connectors/charging/airtime.ts';
import { chargingSystem } from '../connectors/charging/index.ts';
import { crmDesk } from '../connectors/crm/index.ts';
import { exchangeRates } from '../connectors/exchange-rates/index.ts';
import type { HttpClient } from '../connectors/http-client.ts';
import { mpesaGateway } from '../connectors/mpesa/index.ts';
import { orangeMoneyGateway } from '../connectors/orange-money/index.ts';
import { paystackCurrencies, paystackGateway } from '../connectors/paystack/index.ts';
import type {
  Billing,
  Charging,
  ExchangeRates,
  LeadDesk,
  PaymentGateway,
  Qualification,
  SimSwaps,
  StatementSource,
  WalletUsers,
} from '../connectors/ports.ts';
import { serviceQualification } from '../connectors/qualification/index.ts';
import { simSwapCheck } from '../connectors/sim-swap/index.ts';
import { smartcashGateway } from '../connectors/smartcash/index.ts';
import { walletGateway } from '../connectors/wallet/index.ts';

export interface Providers {
  charging: Charging;
  billing: Billing;
  /** Null where the operator has no CRM to hand leads to. */
  leadDesk: LeadDesk | null;
  /** Null where the list of towns has to do. */
  qualification: Qualification | null;
  /** Null where the operator has no such port. */
  simSwaps: SimSwaps | null;
  /** Null where the operator takes one currency only. */
  exchangeRates: ExchangeRates | null;
  gateways: ReadonlyMap<string, PaymentGateway>;
  walletUsers: ReadonlyMap<string, WalletUsers>;
  statements: ReadonlyMap<string, StatementSource>;
  /** Of the pack's methods, those whose gateway is configured. */
  methods: readonly PaymentMethod[];
}

/** Every system outside the portal, as the configuration names them; a gateway without a contract is left out. */
export function connectProviders(
  config: Config,
  pack: OperatorPack,
  http: HttpClient,
  now: () => Date = () => new Date(),
): Providers {
  const { country, currency, numbering } = pack;
  const place = { country: country.iso, currency: currency.code };
  const inMajor = (code: string) => digitsOf(pack, code);
  const callbacks = (name: string) => ({
    callbackUrl: `${config.publicUrl}/callbacks/${name}`,
    callbackKey: createHmac('sha256', config.secret).update(`callbacks ${name}`).digest('base64url'),
  });
  const { mpesa, smartcash, paystack, cardCheckout, orangeMoney } = config;

  const terms = (name: string) => ({ lag: config.lags[name], lateMoneyTerm: config.lateMoneyTerms[name] });

  const balances = { ...config.charging, digits: currency.digits };
  const charging = chargingSystem(http, { ...balances, ...terms('charging') });
  const billing = billingSystem(http, { ...config.billing, ...terms('billing'), currency });
  const own = walletGateway('wallet', http, {
    ...config.wallet,
    ...terms('wallet'),
    country: country.iso,
    currencies: [currency.code, ...(pack.secondCurrency ? [pack.secondCurrency.code] : [])],
    digitsOf: inMajor,
  });
  const daraja =
    mpesa &&
    mpesaGateway('mpesa', http, {
      ...mpesa,
      ...terms('mpesa'),
      ...callbacks('mpesa'),
      now,
      countryCode: numbering.countryCode,
      currency: currency.code,
      digits: currency.digits,
    });
  const smart = smartcash && smartcashGateway('smartcash', http, { ...smartcash, ...place, ...terms('smartcash') });
  const card =
    cardCheckout &&
    cardCheckoutGateway('card', http, {
      ...cardCheckout,
      ...terms('card'),
      digitsOf: inMajor,
      now,
      title: pack.brand.name,
    });
  const orange =
    orangeMoney &&
    orangeMoneyGateway('orange', http, {
      ...orangeMoney,
      ...terms('orange'),
      ...callbacks('orange'),
      digits: currency.digits,
    });
  // It settles few currencies, and relabelling one as another would take another sum.
  const popup =
    paystack && paystackCurrencies.includes(currency.code)
      ? paystackGateway('paystack', http, { ...paystack, ...terms('paystack'), now, digits: currency.digits })
      : null;

  const all = [
    own,
    airtimeGateway('airtime', http, { ...balances, ...terms('airtime') }),
    daraja,
    smart,
    card,
    orange,
    popup,
  ];
  const gateways = new Map<string, PaymentGateway>(all.flatMap((one) => (one ? [[one.name, one]] : [])));
  return {
    charging,
    billing,
    leadDesk: config.crm && crmDesk(http, { ...config.crm, ...terms('crm'), digits: currency.digits }),
    qualification: config.qualification && serviceQualification(http, config.qualification),
    simSwaps:
      config.simSwap &&
      simSwapCheck(http, {
        ...config.simSwap,
        international: (msisdn) => toInternational(fromWire(msisdn), numbering),
      }),
    exchangeRates: ratesFor(config, pack, { http, now }),
    gateways,
    walletUsers: new Map<string, WalletUsers>([['wallet', own], ...(smart ? [['smartcash', smart] as const] : [])]),
    statements: new Map<string, StatementSource>([['wallet', own], ...(daraja ? [['mpesa', daraja] as const] : [])]),
    methods: pack.methods.filter((method) => gateways.has(method.gateway)),
  };
}

function ratesFor(
  { exchange }: Config,
  { code, secondCurrency }: OperatorPack,
  { http, now }: { http: HttpClient; now: () => Date },
): ExchangeRates | null {
  if (!secondCurrency) return null;
  if (!exchange)
    throw new ConfigError(
      `The portal cannot start: EXCHANGE_URL is not set, and the operator "${code}" takes two currencies.`,
    );
  return exchangeRates(http, { ...exchange, plausible: secondCurrency.plausible }, () => now().getTime());
}
