import { standardBudgets } from '@portal/domain/budgets.ts';
import { bundleServiceTypes } from '@portal/domain/bundle.ts';
import { lineTypes } from '@portal/domain/line-types.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { standardWayHealthRules } from '@portal/domain/payment/way-health.ts';
import { type RiskRules, riskRulesProblem } from '@portal/domain/risk.ts';
import { paymentOptionTypes } from '@portal/domain/transaction-types.ts';
import { z } from 'zod';

/** Each message continues "must be …". */
const string = (error: string) => z.string({ error });
const like = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });
const text = like(/\S/, 'a text');
const anyText = string('a text, which may be empty');
const truth = z.boolean({ error: 'true or false' });
const whole = z.int({ error: 'a whole number' }).min(0, { error: 'a whole number' });
const amount = z.int({ error: 'a whole number above 0' }).min(1, { error: 'a whole number above 0' });
const between = (least: number, most: number, error: string) =>
  z.int({ error }).min(least, { error }).max(most, { error });
const degrees = z
  .number({ error: 'a number of degrees' })
  .min(-180, { error: 'a number of degrees' })
  .max(180, { error: 'a number of degrees' });
const nullableText = z.union([text, z.null()], { error: 'a text, or null' });
const object = <T extends z.ZodRawShape>(shape: T) => z.object(shape, { error: 'an object' });
const list = <T extends z.ZodType>(item: T, error: string) => z.array(item, { error }).min(1, { error });
const oneOf = <const T extends readonly string[]>(names: T) => z.enum(names, { error: `one of ${names.join(', ')}` });
const words = z.record(z.string(), text, { error: 'words by language code' });
const currencyCode = like(/^[A-Z]{3}$/, 'three capital letters');
const limits = object({ min: amount, max: amount });
/** An unlimited amount has no unit. */
const content = object({ amount: text, unit: anyText, shownAmount: words.optional(), shownUnit: words.optional() });

const language = object({
  code: text,
  locale: text,
  prefix: anyText,
  name: text,
  formats: text,
  months: z.array(text).length(12, { error: 'twelve months where it names any' }).optional(),
});

const method = object({
  name: text,
  type: oneOf(paymentOptionTypes),
  mode: text,
  gateway: text,
  route: text,
  currencies: z.array(currencyCode).optional(),
});

const bundle = object({
  productCode: text,
  serviceType: oneOf(bundleServiceTypes).exclude(['ALL']),
  lineType: oneOf(lineTypes),
  category: words,
  name: words,
  description: words,
  data: content.optional(),
  voice: content.optional(),
  sms: text.optional(),
  validityDays: z.int({ error: 'a whole number of days' }),
  hours: like(/^\d{2}:\d{2}-\d{2}:\d{2}$/, 'hours as 22:00-06:00').optional(),
  periodType: words.optional(),
  amount,
  popular: truth.optional(),
});

const budget = object({ most: amount, seconds: amount });
const budgetNames = Object.keys(standardBudgets) as (keyof typeof standardBudgets)[];
const wayHealthNames = Object.keys(standardWayHealthRules) as (keyof typeof standardWayHealthRules)[];

/** The schema of a pack. Contradictions between its values are found by `disagreements` in check-pack.ts. */
export const packSchema = object({
  code: like(/^[a-z]{2}$/, 'two small letters'),
  opco: text,
  productCode: text,
  channel: text,
  runMode: text,
  brand: object({
    name: text,
    slug: like(/^[a-z][a-z0-9-]*$/, 'small letters, digits and dashes'),
    mark: like(/^[Mm][-MmLlHhVvCcSsQqTtAaZz\d\s.,]+$/, 'an SVG path').optional(),
    tokens: z.record(z.string(), text, { error: 'an object, which may be empty' }),
  }),
  country: object({ name: text, iso: like(/^[A-Z]{2}$/, 'two capital letters') }),
  numbering: object({
    countryCode: like(/^[1-9]\d{0,2}$/, 'one to three digits'),
    nationalLength: between(7, 12, 'a whole number from 7 to 12'),
    ownPrefixes: list(like(/^\d+$/, 'digits'), 'a list of digits'),
    mobilePattern: string('a regular expression').refine(isPattern, { error: 'a regular expression' }),
    groups: list(whole, 'a list of whole numbers'),
  }),
  currency: object({ code: currencyCode, digits: between(0, 4, 'a whole number up to 4') }),
  secondCurrency: object({
    code: currencyCode,
    digits: whole,
    plausible: object({ least: amount, most: amount }),
  }).optional(),
  languages: list(language, 'a list of languages'),
  defaultLocale: text,
  timeZone: string('a time zone such as Africa/Lagos').refine(isTimeZone, {
    error: 'a time zone such as Africa/Lagos',
  }),
  limits: object({ prepaid: limits, postpaid: limits }),
  amountChips: list(whole, 'a list of whole numbers'),
  budgets: z.partialRecord(z.enum(budgetNames), budget, { error: 'known budgets' }).optional(),
  wayHealth: z
    .partialRecord(z.enum(wayHealthNames), amount, { error: 'known numbers of way-health.ts, each whole and above 0' })
    .optional(),
  risk: z
    .custom<Partial<RiskRules>>((value) => riskRulesProblem(value) === null, 'rules as in domain/risk.ts, each whole')
    .optional(),
  features: object({
    showPostpaidBundles: truth,
    kpi: truth,
    storeFinder: truth,
    contactSection: truth,
    enableAmPin: truth,
    postpaidHybridCheck: truth,
    amountToHigherValue: truth,
    dataBalance: truth,
    dualCurrency: truth,
  }),
  care: object({ number: text, pinResetDial: text, answerHours: amount }),
  leadConnectionFee: whole.optional(),
  paymentMaxTry: amount,
  methods: list(method, 'a list of ways to pay'),
  catalogue: z.array(bundle, { error: 'a list of bundles' }),
  map: object({
    centre: object({ lat: degrees, lng: degrees }),
    bounds: object({ south: degrees, west: degrees, north: degrees, east: degrees }),
    base: nullableText,
    attribution: anyText,
    tiles: z.union([object({ url: text, attribution: text }), z.null()], { error: 'url and attribution, or null' }),
    countryNames: list(text, 'a list of texts'),
  }),
  cdnBase: nullableText,
  smsSender: text,
}) satisfies z.ZodType<OperatorPack>;

function isPattern(source: string): boolean {
  try {
    return source !== '' && new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
