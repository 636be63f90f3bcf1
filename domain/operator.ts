import type { AmountLimits } from './amount.ts';
import type { BudgetRules } from './budgets.ts';
import type { BundleServiceType } from './bundle.ts';
import type { Bounds, Point } from './geo.ts';
import type { Language } from './language.ts';
import type { LineType } from './line-types.ts';
import type { Numbering } from './msisdn.ts';
import type { WayHealthRules } from './payment/way-health.ts';
import type { RiskRules } from './risk.ts';
import type { PaymentOptionType } from './transaction-types.ts';

export interface PackLanguage extends Language {
  /** In the language itself, as the switch shows it. */
  name: string;
  /** The locale its numbers and dates are written by; not every language has one that browsers know well. */
  formats: string;
  /** From the first on, for a language whose dates no such locale writes: `2 Martsa 2026`. */
  months?: readonly string[];
}

export interface PaymentMethod {
  name: string;
  type: PaymentOptionType;
  /** D12: what initiate and process call it. */
  mode: string;
  /** The connector that takes the money. */
  gateway: string;
  /** Last part of /payment/start/… */
  route: string;
  /** What it settles, where that is more than the operator's first currency. */
  currencies?: readonly string[];
}

/** A currency that customers may pay in besides the one prices are in. */
export interface SecondCurrency {
  code: string;
  digits: number;
  /** A rate outside of this is an error of whoever quotes it, not a rate. */
  plausible: { least: number; most: number };
}

type Words = Readonly<Record<string, string>>;

/** `amount` and `unit` as the charging system counts them; `shown…` is what people read, where that differs by language. */
export interface BundleContent {
  amount: string;
  unit: string;
  shownAmount?: Words;
  shownUnit?: Words;
}

/** A bundle as the operator sells it; names and descriptions by language code. */
export interface CatalogueItem {
  productCode: string;
  serviceType: Exclude<BundleServiceType, 'ALL'>;
  lineType: LineType;
  category: Words;
  name: Words;
  description: Words;
  data?: BundleContent;
  voice?: BundleContent;
  sms?: string;
  /** Days; -1 never ends. */
  validityDays: number;
  /** Part of the day in which it can be used, as '22:00-06:00'; all day where it is left out. */
  hours?: string;
  periodType?: Words;
  amount: number;
  /** Offered on the home page. */
  popular?: boolean;
}

export interface PackMap {
  centre: Point;
  /** Searches and the map itself stay inside. */
  bounds: Bounds;
  /** Folder of the base map below the site's root; null draws the plain sheet with places and distances. */
  base: string | null;
  /** Whose data the base map is made of. */
  attribution: string;
  /** A tile server takes the place of the base map. `{z}`, `{x}`, `{y}` and `{s}` are filled in. */
  tiles: { url: string; attribution: string } | null;
  /** Other names of the country, which people add to an address. */
  countryNames: readonly string[];
}

/** Everything about one operator. A new operator is a folder with one of these, not a fork. */
export interface OperatorPack {
  code: string;
  opco: string;
  productCode: string;
  channel: string;
  runMode: string;
  brand: { name: string; slug: string; tokens: Record<string, string> };
  country: { name: string; iso: string };
  numbering: Numbering;
  currency: { code: string; digits: number };
  /** With the feature `dualCurrency`: amounts are then cents of the first, and the payment page offers both. */
  secondCurrency?: SecondCurrency;
  languages: readonly PackLanguage[];
  /** For texts the server sends on its own when the request named no language. */
  defaultLocale: string;
  timeZone: string;
  limits: { prepaid: AmountLimits; postpaid: AmountLimits };
  amountChips: readonly number[];
  /** How often strangers may cause an SMS, a payment request or a row, where that differs from `standardBudgets`. */
  budgets?: Partial<BudgetRules>;
  /** When a payment is asked about or held before money moves, where that differs from `standardRiskRules`. */
  risk?: Partial<RiskRules>;
  /** From when on a way to pay is called slow or in trouble, where that differs from `standardWayHealthRules`. */
  wayHealth?: Partial<WayHealthRules>;
  features: {
    showPostpaidBundles: boolean;
    /** How long pages take in browsers is counted. */
    kpi: boolean;
    /** Store locator, shops and dealers. */
    storeFinder: boolean;
    /** The contact page, and the number to call under every answer of the help centre. */
    contactSection: boolean;
    enableAmPin: boolean;
    postpaidHybridCheck: boolean;
    amountToHigherValue: boolean;
    dataBalance: boolean;
    dualCurrency: boolean;
  };
  /** `answerHours`: within so many hours customer care answers a ticket. */
  care: { number: string; pinResetDial: string; answerHours: number };
  /** What connecting home broadband costs once. */
  leadConnectionFee?: number;
  paymentMaxTry: number;
  methods: readonly PaymentMethod[];
  catalogue: readonly CatalogueItem[];
  map: PackMap;
  cdnBase: string | null;
  smsSender: string;
}

/** What the browser may know of a pack; it travels inside the page. */
export type PublicPack = Pick<
  OperatorPack,
  | 'code'
  | 'opco'
  | 'productCode'
  | 'channel'
  | 'runMode'
  | 'brand'
  | 'country'
  | 'numbering'
  | 'currency'
  | 'secondCurrency'
  | 'languages'
  | 'timeZone'
  | 'limits'
  | 'amountChips'
  | 'features'
  | 'care'
  | 'paymentMaxTry'
  | 'methods'
  | 'map'
>;

export function publicPack(pack: OperatorPack): PublicPack {
  const { code, opco, productCode, channel, runMode, brand, country, numbering, currency, languages, timeZone } = pack;
  const { limits, amountChips, features, care, paymentMaxTry, methods, map, secondCurrency } = pack;
  return {
    code,
    opco,
    productCode,
    channel,
    runMode,
    brand,
    country,
    numbering,
    currency,
    ...(secondCurrency ? { secondCurrency } : {}),
    languages,
    timeZone,
    limits,
    amountChips,
    features,
    care,
    paymentMaxTry,
    methods,
    map,
  };
}
