import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadPack } from '../operators/load-pack.ts';
import { endWith, Refusal } from './progress.mjs';
import { root } from './source-files.ts';

export interface NewOperator {
  code: string;
  brand?: string | undefined;
  /** Where packs lie; the repository's own folder where it is left out. */
  folder?: string | undefined;
  /** Nothing is on sale until it is brought in the console. */
  isEmpty?: boolean | undefined;
}

const usage = 'Say its code, two small letters, such as: npm run operator:new -- ke';
const ownFolder = join(root, 'operators');
/** Whose words a new pack starts with, and the brand they speak of. */
const model = {
  content: join(ownFolder, 'ng/content'),
  name: 'Fanilo',
  slug: 'fanilo',
  ownWords: /\/translation\.json$/,
};

/** Makes a pack that runs as it is, and gives the files it consists of. */
export async function newOperator({
  code,
  brand = model.name,
  folder = ownFolder,
  isEmpty = false,
}: NewOperator): Promise<string[]> {
  if (!/^[a-z]{2}$/.test(code)) throw new Refusal(`"${code}" is no code for an operator. ${usage}`);
  const home = join(resolve(folder), code);
  if (existsSync(home) || existsSync(join(ownFolder, code)))
    throw new Refusal(`There is an operator "${code}" already: nothing was changed.`);
  const slug = brand
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  if (!/^[a-z]/.test(slug)) throw new Refusal(`The brand "${brand}" needs a letter to begin its addresses with.`);

  const words = (text: string) => text.replaceAll(model.name, brand).replaceAll(model.slug, slug);
  const files: Record<string, string> = {
    'pack.ts': packText(code, { brand, slug }),
    'catalogue.ts': isEmpty ? emptyCatalogueText : catalogueText,
  };
  for (const path of await readdir(model.content, { recursive: true }))
    if (/\.\w+$/.test(path) && !model.ownWords.test(path))
      files[`content/${path}`] = words(await readFile(join(model.content, path), 'utf8'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  await loadPack(code, folder === ownFolder ? null : folder);
  return Object.keys(files).map((path) => join(home, path));
}

/** A code that is a country's gives its name; any other stands for itself. */
function countryName(iso: string): string {
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'code' }).of(iso) ?? iso;
}

function packText(code: string, { brand, slug }: { brand: string; slug: string }): string {
  const iso = code.toUpperCase();
  const country = countryName(iso);
  const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return `import type { OperatorPack } from '@portal/domain/operator.ts';
import { catalogue } from './catalogue.ts';

export const pack: OperatorPack = {
  code: '${code}',
  opco: '${iso}',
  productCode: 'ORP',
  channel: 'CWAAA',
  runMode: 'beta',
  brand: { name: ${text(brand)}, slug: '${slug}', tokens: {} },
  country: { name: ${text(country.toLowerCase())}, iso: '${iso}' },
  numbering: {
    countryCode: '999',
    nationalLength: 9,
    ownPrefixes: ['39'],
    mobilePattern: '^[1-9][0-9]',
    groups: [3, 3, 3],
  },
  currency: { code: 'XTS', digits: 0 },
  languages: [{ code: 'EN', locale: 'en-${iso}', prefix: '', name: 'English', formats: 'en-GB' }],
  defaultLocale: 'en-${iso}',
  timeZone: 'UTC',
  limits: { prepaid: { min: 50, max: 50_000 }, postpaid: { min: 100, max: 500_000 } },
  amountChips: [100, 200, 500, 1_000, 5_000],
  features: {
    showPostpaidBundles: false,
    kpi: false,
    storeFinder: true,
    contactSection: true,
    enableAmPin: false,
    postpaidHybridCheck: false,
    amountToHigherValue: true,
    dataBalance: false,
    dualCurrency: false,
  },
  care: { number: '300', pinResetDial: '*436*7#', answerHours: 24 },
  paymentMaxTry: 10,
  methods: [
    { name: 'Mastercard, Visa', type: 'PG', mode: 'PAYMENT_GATEWAY', gateway: 'card', route: 'card' },
    { name: 'Airtime', type: 'AIRTIME', mode: 'AIRTIME', gateway: 'airtime', route: 'airtime' },
    { name: ${text(`${brand} Money`)}, type: 'AM', mode: '${slug.toUpperCase()}_MONEY', gateway: 'wallet', route: '${slug}-money' },
  ],
  catalogue,
  map: {
    centre: { lat: 0, lng: 0 },
    bounds: { south: -1, west: -1, north: 1, east: 1 },
    base: null,
    attribution: '',
    tiles: null,
    countryNames: [${text(country)}],
  },
  cdnBase: null,
  smsSender: ${text(brand.slice(0, 11))},
};
`;
}

const catalogueText = `import type { CatalogueItem } from '@portal/domain/operator.ts';

function data(productCode: string, size: [string, string], validityDays: number, price: number): CatalogueItem {
  const [amount, unit] = size;
  const name = \`\${amount} \${unit}\`;
  const days = validityDays === 1 ? '1 day' : \`\${validityDays} days\`;
  return {
    productCode,
    serviceType: 'DATA',
    lineType: 'PREPAID',
    category: { EN: 'Internet data' },
    name: { EN: name },
    description: { EN: \`\${name}, \${days}\` },
    data: { amount, unit },
    validityDays,
    amount: price,
  };
}

/** Prices in the smallest unit of the currency that the operator takes. */
export const catalogue: readonly CatalogueItem[] = [
  data('D200M1', ['200', 'MB'], 1, 200),
  data('D1G7', ['1', 'GB'], 7, 1_000),
  data('D5G30', ['5', 'GB'], 30, 3_000),
];
`;

const emptyCatalogueText = `import type { CatalogueItem } from '@portal/domain/operator.ts';

/** Nothing yet: what is on sale is brought in the console. */
export const catalogue: readonly CatalogueItem[] = [];
`;

const nextSteps = (code: string, where: string, isOwn: boolean) => `
The operator "${code}" is ready: ${isOwn ? '' : `OPERATORS_DIR=${where} `}OPERATOR=${code} npm start

What to edit next, in ${where}/${code}:
  pack.ts        numbering (calling code 999 and the prefixes are placeholders), currency (XTS is one),
                 languages, time zone, limits, ways to pay, the map's centre and bounds, the brand's colours
  catalogue.ts   what is on sale, and its prices
  content/en     header, footer and the pages; one folder for each language of the pack

Then: npm run check, and docs/operators.md for places, help and a second currency.
`;

function readWords(words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: { brand: { type: 'string' }, in: { type: 'string' }, empty: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch {
    throw new Refusal(usage);
  }
}

async function main(words: string[]): Promise<void> {
  const { values, positionals } = readWords(words);
  const [code, ...others] = positionals;
  if (!code || others.length > 0) throw new Refusal(usage);
  const files = await newOperator({ code, brand: values.brand, folder: values.in, isEmpty: values.empty });
  for (const file of files) console.log(relative(process.cwd(), file));
  console.log(nextSteps(code, values.in ?? 'operators', values.in === undefined));
}

if (import.meta.main) await main(process.argv.slice(2)).catch(endWith);
