import type { AmountLimits } from './amount-input.ts';
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
  /** In the language itself, for the language switch. */
  name: string;
  /** The locale for numbers and dates; browsers do not support one for every language. */
  formats: string;
  /** Month names from January, for a language whose dates no such locale formats: `2 Martsa 2026`. */
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
  /** The currencies it accepts, if more than the operator's first. */
  currencies?: readonly string[];
}

/** A currency that customers may pay in besides the one prices are in. */
export interface SecondCurrency {
  code: string;
  digits: number;
  /** A rate outside this range is treated as an error of its source. */
  plausible: { least: number; most: number };
}

type Words = Readonly<Record<string, string>>;

/** `amount` and `unit` as in the charging system; `shown…` is for readers, if it differs by language. */
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
  /** The part of the day in which it can be used, such as '22:00-06:00'; all day if absent. */
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
  /** Folder of the base map below the site's root; null renders a plain sheet with places and distances. */
  base: string | null;
  /** Whose data the base map is made of. */
  attribution: string;
  /** A tile server that replaces the base map. `{z}`, `{x}`, `{y}` and `{s}` are filled in. */
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
  brand: {
    name: string;
    slug: string;
    /** The logo beside the name: an SVG path on 24 by 24, stroked; a flame by default. */
    mark?: string;
    /**
     * Design tokens: colours, corners and the illustration of the first screen, by the names of
     * `web/src/ui/tokens.css`.
     */
    tokens: Record<string, string>;
  };
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
  /** Budgets for SMS, payment requests and rows, if they differ from `standardBudgets`. */
  budgets?: Partial<BudgetRules>;
  /** Risk rules, if they differ from `standardRiskRules`. */
  risk?: Partial<RiskRules>;
  /** When a way to pay is slow or in trouble, if it differs from `standardWayHealthRules`. */
  wayHealth?: Partial<WayHealthRules>;
  features: {
    showPostpaidBundles: boolean;
    /** Measures page load times in browsers. */
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
  /** `answerHours`: hours within which customer care replies to a ticket. */
  care: { number: string; pinResetDial: string; answerHours: number };
  /** The one-time fee for connecting home broadband. */
  leadConnectionFee?: number;
  paymentMaxTry: number;
  methods: readonly PaymentMethod[];
  catalogue: readonly CatalogueItem[];
  map: PackMap;
  cdnBase: string | null;
  smsSender: string;
}

/** The public part of a pack, which is embedded in pages. */
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
