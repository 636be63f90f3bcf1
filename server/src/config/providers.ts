import { billingSettings } from '../connectors/billing/settings.ts';
import { cardCheckoutSettings } from '../connectors/card-checkout/settings.ts';
import { chargingSettings } from '../connectors/charging/settings.ts';
import { crmSettings } from '../connectors/crm/settings.ts';
import { exchangeSettings } from '../connectors/exchange-rates/settings.ts';
import { mailSettings } from '../connectors/mail/settings.ts';
import { mpesaSettings } from '../connectors/mpesa/settings.ts';
import { openidSettings } from '../connectors/openid/settings.ts';
import { orangeMoneySettings } from '../connectors/orange-money/settings.ts';
import { paystackSettings } from '../connectors/paystack/settings.ts';
import { qualificationSettings } from '../connectors/qualification/settings.ts';
import { simSwapSettings } from '../connectors/sim-swap/settings.ts';
import { smartcashSettings } from '../connectors/smartcash/settings.ts';
import { smsSettings } from '../connectors/sms/settings.ts';
import { walletSettings } from '../connectors/wallet/settings.ts';
import type { SettingsOf } from './provider-settings.ts';

/** The settings of every external system, by name, each declared beside its client. */
export const providers = {
  charging: chargingSettings,
  billing: billingSettings,
  crm: crmSettings,
  qualification: qualificationSettings,
  simSwap: simSwapSettings,
  exchange: exchangeSettings,
  wallet: walletSettings,
  mpesa: mpesaSettings,
  smartcash: smartcashSettings,
  paystack: paystackSettings,
  cardCheckout: cardCheckoutSettings,
  orangeMoney: orangeMoneySettings,
  sms: smsSettings,
  mail: mailSettings,
  openid: openidSettings,
};

type Providers = typeof providers;

/** The settings for each connector; null if the operator does not use it. */
export type ProviderConfig = {
  [Name in keyof Providers]:
    | SettingsOf<Providers[Name]>
    | (Providers[Name] extends { isNecessary?: true } ? never : null);
};

/** Defaults for a trial: the sandbox's own addresses and keys. */
export const sandboxDefaults = (sandbox: string): Record<string, unknown> =>
  Object.assign({}, ...Object.values(providers).map((settings) => settings.sandbox(sandbox)));
