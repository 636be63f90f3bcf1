import type { ParsedBodyOf } from '@portal/contract/contract.ts';
import { amountProblem } from '@portal/domain/amount.ts';
import { formatMoney } from '@portal/domain/money.ts';
import { fromWire, isMobile, isOwnNetwork } from '@portal/domain/msisdn.ts';
import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Lines } from '../lines/lines.service.ts';

/** A priced order: everything in it was checked by the server. */
export interface Quote {
  gateway: string;
  paymentMode: string;
  transactionType: string;
  amount: number;
  currency: string;
  msisdn: string;
  payerMsisdn: string | null;
  email: string | null;
  productCode: string | null;
  description: string | null;
  accountId: string | null;
  invoiceNumber: string | null;
  language: string;
  details: Record<string, unknown>;
}

type Initiation = ParsedBodyOf<'initiate'>;

/** The price is the server's: what the browser sends is checked again against line, limits and methods. */
export async function quoteFor(
  order: Initiation,
  context: { pack: OperatorPack; methods: readonly PaymentMethod[]; lines: Lines; language: string },
): Promise<Quote> {
  const { pack, methods, lines, language } = context;
  const method = methods.find(
    (one) =>
      one.mode === order.paymentMode &&
      (!order.paymentGateway || one.name === order.paymentGateway || one.mode === order.paymentGateway),
  );
  if (!method) throw new PortalError('notOffered', 'This way to pay is not offered here.', { field: 'paymentMode' });
  if (order.currencyCode && order.currencyCode !== pack.currency.code)
    throw new PortalError('priceChanged', 'This currency is not used here.', { field: 'currencyCode' });
  if (order.countryCode && order.countryCode !== pack.numbering.countryCode)
    throw new PortalError('notOffered', 'This country is not served here.', { field: 'countryCode' });
  if (order.transactionType !== 'PREPAID_RECHARGE')
    throw new PortalError('notOffered', 'This cannot be paid here yet.', { field: 'transactionType' });
  const msisdn = order.mobileNumber;
  if (!msisdn) throw new PortalError('malformed', 'A number is needed.', { field: 'mobileNumber' });
  if (order.productCode)
    throw new PortalError('priceChanged', 'A recharge is bought by amount, not as a product.', {
      field: 'productCode',
    });
  const isPayer = method.type === 'AM' ? isOwnNetwork : isMobile;
  if (order.paymentMobile && !isPayer(fromWire(order.paymentMobile), pack.numbering))
    throw new PortalError('malformed', `Please enter valid ${pack.brand.name} number`, { field: 'paymentMobile' });

  const problem = amountProblem(order.amount, pack.limits.prepaid);
  if (problem) {
    const limit = problem.kind === 'below' ? problem.min : problem.max;
    const bound = formatMoney({ amount: limit, currency: pack.currency.code }, 'en', pack.currency.digits);
    const word = problem.kind === 'below' ? 'Minimum' : 'Maximum';
    throw new PortalError('amountOutOfRange', `${word} amount should be ${bound}`, { field: 'amount' });
  }
  const line = await lines.find(msisdn);
  if (!line) throw new PortalError('lineUnknown', 'Invalid Mobile No', { field: 'mobileNumber' });
  if (line.lineType !== 'PREPAID')
    throw new PortalError('lineNotEligible', 'This is not a prepaid line.', { field: 'mobileNumber' });
  return {
    gateway: method.gateway,
    paymentMode: method.mode,
    transactionType: order.transactionType,
    amount: order.amount,
    currency: pack.currency.code,
    msisdn,
    payerMsisdn: order.paymentMobile || null,
    email: order.emailId || null,
    productCode: null,
    description: null,
    accountId: order.accountId || null,
    invoiceNumber: order.invoiceNumber || null,
    language,
    details: { lineType: line.lineType },
  };
}
