import { type CallName, callPath, calls } from '@portal/contract/calls.ts';
import { contract } from '@portal/contract/contract.ts';
import type { CallDefinition } from '@portal/contract/define-call.ts';
import type { InjectOptions } from 'fastify';

/** Values that a test sends through every route. None of them may appear in a log or an error. */
export const canaries = {
  number: '0397351468',
  code: '864209',
  token: 'canary-token-Zq7',
  email: 'canary.zq7@example.com',
  ciphertext: 'CanaryPin'.repeat(24),
} as const;

const data = (more: object) => ({ data: more });
const verify = { refId: canaries.token, otp: canaries.code, username: canaries.number };
const payment = {
  amount: 5_000,
  mobileNumber: canaries.number,
  paymentMobile: canaries.number,
  loggedInNumber: canaries.number,
  emailId: canaries.email,
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'PAYMENT_GATEWAY',
  uniqueCode: canaries.token,
};
const processing = { transactionId: canaries.token, paymentMobile: canaries.number, amPin: canaries.ciphertext };
const lead = {
  fullName: 'Canary Zq',
  contactNumber: canaries.number,
  email: canaries.email,
  feasibility: true,
  address: {
    type: 'INSTALLATION',
    landmark: 'Near x',
    lat: -18.9,
    lng: 47.5,
    city: 'Toamasina',
    street1: 'Rue x',
    country: 'madagascar',
  },
  plan: { code: 'x', amount: 1_000, currency: 'XTS', description: 'x' },
  source: 'WEBPORTAL',
  uniqueCode: canaries.token,
  lineType: 'PREPAID',
  consent: true,
};

const bodies: Partial<Record<CallName, object>> = {
  lineType: { msisdn: canaries.number },
  validateBrandNumber: { msisdn: canaries.number },
  validateAccount: data({ msisdn: canaries.number, accountNo: '9753186420' }),
  queryBalance: data({ msisdn: canaries.number, uniqueCode: canaries.token, serviceType: 'AIRTIME' }),
  fetchBalance: { msisdn: canaries.number },
  bill: data({ msisdn: canaries.number, uniqueCode: canaries.token }),
  openInvoices: { accountNo: 'PA1000000001', contactPersonEmailId: canaries.email },
  bundles: data({ msisdn: canaries.number }),
  sendInvoiceCode: data({ text: canaries.number, text1: canaries.email, otpAction: 'INVOICE' }),
  resendInvoiceCode: data({ otpId: canaries.token }),
  verifyInvoiceCode: data({ otpId: canaries.token, otp: canaries.code }),
  sendCode: data({ msisdn: canaries.number }),
  resendCode: data({ refId: canaries.token }),
  verifyCode: data(verify),
  verifyUser: data(verify),
  paymentOptions: { amount: 5_000, mobileNumber: canaries.number, transactionType: 'PREPAID_RECHARGE' },
  paymentOptionsByChannel: { amount: 5_000, mobileNumber: canaries.number, transactionType: 'PREPAID_RECHARGE' },
  initiate: payment,
  authInitiate: payment,
  mpesaInitiate: payment,
  process: processing,
  authProcess: processing,
  mpesaProcess: processing,
  writeTicket: { tid: canaries.token, text: `Where is it? ${canaries.number} ${canaries.email}` },
  submitLead: lead,
  trackLead: { refLeadId: canaries.token },
  sendLeadCode: {
    email: canaries.email,
    customerDetails: { fullName: 'Canary Zq' },
    requestType: 'HBB',
    msisdn: canaries.number,
  },
  saveForm: { formType: 'ENTERPRISE', email: canaries.email, data: { phone: canaries.number, email: canaries.email } },
  recordEvent: { event: 'success', page_name: 'x_prepaid_recharge', flow: 'recharge' },
  recordSearch: { text: 'esim' },
  vote: { questionId: 'q1', isLike: true, opco: 'XX' },
};

const queries: Partial<Record<CallName, Record<string, string>>> = {
  config: { code: canaries.token },
  paymentOptionsByChannel: { channel: canaries.token, pg: canaries.token },
  transactionStatus: { tid: canaries.token },
  transactionFetch: { txnId: canaries.token },
  ticket: { tid: canaries.token, key: canaries.token },
  exchangeRate: { fromCurrency: 'USD', toCurrency: 'CDF', amount: '10' },
  paystackCallback: { txref: canaries.token, PnrID: canaries.token, status: 'success' },
  geocode: { address: canaries.email },
  suggestPlaces: { q: canaries.email },
  activePackage: { opco: 'XX', pageUrl: `/${canaries.token}` },
  faqs: { opco: 'XX' },
  vote: { questionId: 'q1', isLike: 'true', opco: 'XX' },
  voteByLink: { questionId: 'q1', isLike: 'true', opco: 'XX' },
  shops: { opco: 'XX', latitude: '-18.9', longitude: '47.5' },
  shopList: { opco: 'XX', kind: 'shop' },
};

/** A request that the call's schema accepts, with canaries wherever one fits. */
export function createCallProbe(name: CallName, slug: string): InjectOptions {
  const definition: CallDefinition = contract[name];
  const body = bodies[name];
  const query = queries[name];
  return {
    method: calls[name].method,
    url: callPath(name, { slug }),
    headers: { authorization: `Bearer ${canaries.token}`, cookie: `session=${canaries.token}`, lang: 'en' },
    ...(definition.query && query ? { query } : {}),
    ...(calls[name].method === 'POST' ? { payload: definition.body ? (body ?? {}) : {} } : {}),
  };
}
