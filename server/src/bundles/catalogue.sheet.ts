import { bundleServiceTypes } from '@portal/domain/bundle.ts';
import { lineTypes } from '@portal/domain/line-types.ts';
import { parseMajor, toMajorString } from '@portal/domain/money.ts';
import type { BundleContent, CatalogueItem, OperatorPack } from '@portal/domain/operator.ts';
import { lettersForeignToSms, toSmsText } from '@portal/domain/sms-text.ts';
import { CellReader, type Cells, column, type Sheet } from '../sheets/sheets.service.ts';

const families = bundleServiceTypes.filter((one) => one !== 'ALL');
const sold = lineTypes.filter((one) => one === 'PREPAID' || one === 'POSTPAID');
/** The units of the charging system. */
const units = { data: ['KB', 'MB', 'GB', 'TB'], voice: ['min', 'MIN'] } as const;
type Unit = keyof typeof units;
const unlimited = 'Unlimited';
/** Above any price, and within the digits that every connected system accepts. */
const maxAmount = 1_000_000_000;

type Words = Readonly<Record<string, string>>;
const wordColumns = ['category', 'name', 'description', 'period'] as const;
const shownColumns = ['data_shown', 'data_unit_shown', 'voice_shown', 'voice_unit_shown'] as const;
const isShown = (label: string) => (shownColumns as readonly string[]).includes(label);

/** The catalogue as a table: one row for each bundle, one text column for each language of the operator. */
export function catalogueSheet(pack: Pick<OperatorPack, 'languages' | 'currency'>): Sheet<CatalogueItem> {
  const { currency } = pack;
  const codes = pack.languages.map(({ code }) => code);
  const [first] = codes;
  const cellIn = (name: string, code: string) => `${name}_${code.toLowerCase()}`;
  const inLanguages = (name: string, words: Words | undefined): Cells =>
    Object.fromEntries(codes.map((code) => [cellIn(name, code), words?.[code] ?? '']));
  const shown = (kind: Unit, content: BundleContent | undefined): Cells => ({
    ...inLanguages(`${kind}_shown`, content?.shownAmount),
    ...inLanguages(`${kind}_unit_shown`, content?.shownUnit),
  });

  /** A text in every language or, if optional, in none. */
  function words(reader: CellReader, name: string, { most = 200, isRequired = true } = {}): Words | undefined {
    const said = codes.map((code) => [code, reader.text(cellIn(name, code), { most })] as const);
    if (!isRequired && said.every(([, text]) => text === '')) return undefined;
    for (const [code, text] of said) if (text === '') reader.refuse(cellIn(name, code), 'required');
    return Object.fromEntries(said);
  }

  /** Part of the SMS about the delivery: a character outside the GSM alphabet would multiply its length. */
  function description(reader: CellReader): Words | undefined {
    const said = words(reader, 'description');
    for (const code of codes) {
      const foreign = lettersForeignToSms(toSmsText(said?.[code] ?? ''));
      if (foreign.length > 0) reader.refuse(cellIn('description', code), 'foreignLetters', foreign.join(' '));
    }
    return said;
  }

  function content(reader: CellReader, kind: Unit): BundleContent | undefined {
    const written = reader.text(kind).replace(',', '.');
    const unit = reader.text(`${kind}_unit`);
    const shownAmount = words(reader, `${kind}_shown`, { most: 20, isRequired: false });
    const shownUnit = words(reader, `${kind}_unit_shown`, { most: 10, isRequired: false });
    const more = { ...(shownAmount ? { shownAmount } : {}), ...(shownUnit ? { shownUnit } : {}) };
    if (written === '') {
      if (unit) reader.refuse(kind, 'required');
      return undefined;
    }
    // Anything else that is not a positive number is refused: it would be sold as unlimited.
    if (written.toLowerCase() === unlimited.toLowerCase()) return { amount: unlimited, unit: '', ...more };
    if (!/^\d{1,7}(\.\d{1,3})?$/.test(written) || Number(written) === 0)
      reader.refuse(kind, 'notContent', `1.5, ${unlimited}`);
    if (!(units[kind] as readonly string[]).includes(unit))
      reader.refuse(`${kind}_unit`, 'notUnit', units[kind].join(', '));
    return { amount: written, unit, ...more };
  }

  function price(reader: CellReader): number {
    const written = reader.digits('price').replace(',', '.');
    // Three digits after a point are ambiguous: 5.000 may mean 5 or 5000.
    const isClear = (written.split('.')[1]?.length ?? 0) <= currency.digits;
    const amount = parseMajor(written, currency.digits) ?? Number.NaN;
    const isSound = isClear && amount > 0 && amount <= maxAmount;
    if (reader.text('price') && !isSound) reader.refuse('price', 'notPrice', currency.digits === 0 ? '5000' : '1.50');
    return amount;
  }

  return {
    name: 'catalogue',
    approval: 'catalogue',
    hasTimes: true,
    columns: [
      column('code', { isRequired: true, section: 'what' }),
      column('family', { kind: 'choice', choices: [...families], isRequired: true, isListed: true, section: 'what' }),
      column('line', { kind: 'choice', choices: [...sold], isRequired: true, section: 'what' }),
      column('price', { kind: 'money', isRequired: true, isListed: true, section: 'price' }),
      column('currency', { kind: 'choice', choices: [currency.code], isRequired: true, section: 'price' }),
      column('validity_days', { kind: 'number', isRequired: true, isListed: true, section: 'contents' }),
      column('hours', { section: 'contents' }),
      column('popular', { kind: 'choice', choices: ['no', 'yes'], section: 'what' }),
      ...(['data', 'voice'] as const).flatMap((kind) => [
        column(kind, { section: 'contents' }),
        column(`${kind}_unit`, { kind: 'choice', choices: ['', ...units[kind]], section: 'contents' }),
      ]),
      column('sms', { kind: 'number', section: 'contents' }),
      ...[...wordColumns, ...shownColumns].flatMap((label) =>
        codes.map((code) =>
          column(cellIn(label, code), {
            label,
            language: code.toLowerCase(),
            section: isShown(label) ? 'shown' : 'words',
            isRequired: label !== 'period' && !isShown(label),
            isListed: label === 'name' && code === first,
            isName: label === 'name',
          }),
        ),
      ),
    ],

    cellsOf: (item) => ({
      code: item.productCode,
      family: item.serviceType,
      line: item.lineType,
      price: toMajorString(item.amount, currency.digits),
      currency: currency.code,
      validity_days: String(item.validityDays),
      hours: item.hours ?? '',
      popular: item.popular ? 'yes' : 'no',
      data: item.data?.amount ?? '',
      data_unit: item.data?.unit ?? '',
      voice: item.voice?.amount ?? '',
      voice_unit: item.voice?.unit ?? '',
      sms: item.sms ?? '',
      ...inLanguages('category', item.category),
      ...inLanguages('name', item.name),
      ...inLanguages('description', item.description),
      ...inLanguages('period', item.periodType),
      ...shown('data', item.data),
      ...shown('voice', item.voice),
    }),

    read(cells) {
      const reader = new CellReader({ popular: 'no', currency: currency.code, ...cells });
      const productCode = reader.text('code', { isRequired: true });
      if (productCode && !/^[A-Z0-9][A-Z0-9._-]{1,29}$/.test(productCode)) reader.refuse('code', 'notCode', 'D1G7');
      const own = reader.text('currency');
      if (own !== currency.code) reader.refuse('currency', 'otherCurrency', currency.code);
      const hours = reader.text('hours');
      if (hours && !/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/.test(hours))
        reader.refuse('hours', 'notHours', '22:00-06:00');
      const sms = reader.text('sms');
      if (sms && !/^[1-9]\d{0,6}$/.test(sms) && sms !== unlimited) reader.refuse('sms', 'notWhole', '100');
      const data = content(reader, 'data');
      const voice = content(reader, 'voice');
      if (!data && !voice && !sms) reader.refuse('data', 'nothingInside');
      const period = words(reader, 'period', { most: 40, isRequired: false });
      const isPopular = reader.truth('popular');
      const item = {
        productCode,
        serviceType: reader.choice('family', families),
        lineType: reader.choice('line', sold),
        category: words(reader, 'category', { most: 60 }),
        name: words(reader, 'name', { most: 80 }),
        description: description(reader),
        ...(data ? { data } : {}),
        ...(voice ? { voice } : {}),
        ...(sms ? { sms } : {}),
        validityDays: reader.whole(
          'validity_days',
          (days) => days === -1 || (days >= 1 && days <= 3_650),
          '-1, 1 … 3650',
        ),
        ...(hours ? { hours } : {}),
        ...(period ? { periodType: period } : {}),
        amount: price(reader),
        ...(isPopular ? { popular: true } : {}),
      };
      return reader.problems.length > 0 ? { problems: reader.problems } : { entry: item as CatalogueItem };
    },
  };
}
