import { billingFacts } from './billing/wire-facts.ts';
import { cardCheckoutFacts } from './card-checkout/wire-facts.ts';
import { chargingFacts } from './charging/wire-facts.ts';
import { crmFacts } from './crm/wire-facts.ts';
import { mpesaFacts } from './mpesa/wire-facts.ts';
import { orangeMoneyFacts } from './orange-money/wire-facts.ts';
import { paystackFacts } from './paystack/wire-facts.ts';
import { simSwapFacts } from './sim-swap/wire-facts.ts';
import { smartcashFacts } from './smartcash/wire-facts.ts';
import { smsFacts } from './sms/wire-facts.ts';
import { walletFacts } from './wallet/wire-facts.ts';
import type { WireFacts } from './wire-facts.ts';

/** By folder. */
export const wireFacts: Readonly<Record<string, WireFacts>> = {
  wallet: walletFacts,
  mpesa: mpesaFacts,
  smartcash: smartcashFacts,
  'card-checkout': cardCheckoutFacts,
  'orange-money': orangeMoneyFacts,
  paystack: paystackFacts,
  charging: chargingFacts,
  billing: billingFacts,
  crm: crmFacts,
  'sim-swap': simSwapFacts,
  sms: smsFacts,
};
