import { createHmac } from 'node:crypto';
import { fromWire, toInternational } from '@portal/domain/msisdn.ts';
import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { billingSystem } from '../connectors/billing/index.ts';
import { connectCardCheckout } from '../connectors/card-checkout/index.ts';
import { connectAirtime } from '../connectors/charging/airtime.ts';
import { chargingSystem } from '../connectors/charging/index.ts';
import { crmLeadReceiver } from '../connectors/crm/index.ts';
import { exchangeRates } from '../connectors/exchange-rates/index.ts';
import type { ConnectGateway } from '../connectors/gateway-context.ts';
import type { HttpClient } from '../connectors/http-client.ts';
import { connectMpesa } from '../connectors/mpesa/index.ts';
import { connectOpenid, type IdentityProvider } from '../connectors/openid/index.ts';
import { connectOrangeMoney } from '../connectors/orange-money/index.ts';
import { connectPaystack } from '../connectors/paystack/index.ts';
import type {
  Billing,
  Charging,
  ExchangeRates,
  LeadReceiver,
  PaymentGateway,
  Qualification,
  SimSwaps,
  StatementSource,
  WalletUsers,
} from '../connectors/ports.ts';
import { serviceQualification } from '../connectors/qualification/index.ts';
import { simSwapCheck } from '../connectors/sim-swap/index.ts';
import { connectSmartcash } from '../connectors/smartcash/index.ts';
import { connectWallet } from '../connectors/wallet/index.ts';

export interface Providers {
  charging: Charging;
  billing: Billing;
  /** Null if the operator has no CRM for leads. */
  leadReceiver: LeadReceiver | null;
  /** Null if the list of towns is used instead. */
  qualification: Qualification | null;
  /** Null if the operator has no SIM-swap check. */
  simSwaps: SimSwaps | null;
  /** Null if the operator takes only one currency. */
  exchangeRates: ExchangeRates | null;
  /** Null if the console is switched off. */
  identities: IdentityProvider | null;
  gateways: ReadonlyMap<string, PaymentGateway>;
  walletUsers: ReadonlyMap<string, WalletUsers>;
  statements: ReadonlyMap<string, StatementSource>;
  /** The pack's methods whose gateway is configured. */
  methods: readonly PaymentMethod[];
}

/** Connects every external system that is configured. A gateway without settings is left out. */
export function connectProviders(
  config: Config,
  pack: OperatorPack,
  http: HttpClient,
  now: () => Date = () => new Date(),
): Providers {
  const { currency, numbering } = pack;
  const terms = (name: string) => ({ lag: config.lags[name], lateMoneyTerm: config.lateMoneyTerms[name] });
  const callbacks = (name: string) => ({
    callbackUrl: `${config.publicUrl}/callbacks/${name}`,
    callbackKey: createHmac('sha256', config.secret).update(`callbacks ${name}`).digest('base64url'),
  });
  const gateway = <Settings>(name: string, connect: ConnectGateway<Settings>, settings: Settings | null) =>
    settings && connect(name, { http, pack, now, terms: terms(name), callbacks: callbacks(name) }, settings);

  const all = [
    gateway('wallet', connectWallet, config.wallet),
    gateway('airtime', connectAirtime, config.charging),
    gateway('mpesa', connectMpesa, config.mpesa),
    gateway('smartcash', connectSmartcash, config.smartcash),
    gateway('card', connectCardCheckout, config.cardCheckout),
    gateway('orange', connectOrangeMoney, config.orangeMoney),
    gateway('paystack', connectPaystack, config.paystack),
  ];
  const gateways = new Map<string, PaymentGateway>(all.flatMap((one) => (one ? [[one.name, one]] : [])));
  return {
    charging: chargingSystem(http, { ...config.charging, digits: currency.digits, ...terms('charging') }),
    billing: billingSystem(http, { ...config.billing, ...terms('billing'), currency }),
    leadReceiver: config.crm && crmLeadReceiver(http, { ...config.crm, ...terms('crm'), digits: currency.digits }),
    qualification: config.qualification && serviceQualification(http, config.qualification),
    simSwaps:
      config.simSwap &&
      simSwapCheck(http, {
        ...config.simSwap,
        international: (msisdn) => toInternational(fromWire(msisdn), numbering),
      }),
    identities: config.openid && connectOpenid(http, config.openid),
    exchangeRates: ratesFor(config, pack, { http, now }),
    gateways,
    walletUsers: thatCan(gateways, (one): one is PaymentGateway & WalletUsers => 'hasWallet' in one),
    statements: thatCan(gateways, (one): one is PaymentGateway & StatementSource => 'statement' in one),
    methods: pack.methods.filter((method) => gateways.has(method.gateway)),
  };
}

const thatCan = <Able extends PaymentGateway>(
  gateways: ReadonlyMap<string, PaymentGateway>,
  can: (gateway: PaymentGateway) => gateway is Able,
): ReadonlyMap<string, Able> =>
  new Map([...gateways].flatMap(([name, one]) => (can(one) ? [[name, one] as const] : [])));

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
