import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import { type TestPortal, testPortal } from './testing/portal.ts';
import { twoCurrencies } from './testing/two-currencies.fixture.ts';

// Section 7 of the specification, spelled out: neither paths nor fields come from our own contract, which could be wrong
// in the same way as the product.
const portal = '/orp/bfe/api/portal-service';

interface Operator {
  sandbox: Sandbox;
  phone: PhoneClient;
  running: TestPortal;
}

type Code = 'mg' | 'ng' | 'cd';
const operators = {} as Record<Code, Operator>;
/** Ahead of the real clock: a code may be sent again after a minute. */
let ahead = 0;

const places: Record<Code, Parameters<typeof startSandbox>[0]> = {
  mg: {},
  ng: { country: 'NG', countryCode: '234', currency: 'NGN', nationalPrefix: '0939' },
  cd: twoCurrencies,
};

beforeAll(async () => {
  for (const code of ['mg', 'ng', 'cd'] as const) {
    const sandbox = await startSandbox({ ...places[code], approveAfterMs: 100 });
    const changes = { operator: code, rateLimitScale: 1_000, walletPinMode: true };
    const running = await testPortal(sandbox, changes, () => new Date(Date.now() + ahead));
    operators[code] = { sandbox, phone: new PhoneClient(sandbox.http), running };
  }
});
afterAll(async () => {
  for (const { sandbox, running } of Object.values(operators)) {
    await running.stop();
    await sandbox.stop();
  }
});

type Values = Record<string, unknown>;

interface Specified {
  /** Method and path; `…` stands for the prefix of the portal. */
  call: string;
  /** The whole payload of the specification; a GET takes it as its query. */
  payload: Values | (() => Promise<Values>);
  /** The answer of the specification, as `result` of the envelope. */
  answer: unknown;
  /** A field of the payload and a value that it may not have. */
  wrong: [field: string, value: unknown];
  headers?: () => Record<string, string>;
  at?: Code;
  keep?: (result: Values) => void;
}

/** The payload that each call was sent. */
const sent = new Map<string, Values>();
const words = expect.stringMatching(/./);
const number = '0390000001';
const postpaid = '0390000002';
/** Values that one call returns and a later one sends. */
const given: Record<string, string> = {};
const keepAs = (key: string, name: string) => (result: Values) => {
  given[name] = String(result[key]);
};

async function codeOf(line: string, at: Code = 'mg'): Promise<string> {
  const { phone } = operators[at];
  const codes = async () => (await phone.messages(line)).flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
  await expect.poll(codes).not.toEqual([]);
  return (await codes())[0] ?? '';
}

/** The next code that arrives. */
async function nextCodeOf(line: string, before: number): Promise<string> {
  const { phone } = operators.mg;
  await expect
    .poll(async () => (await phone.messages(line)).filter(({ text }) => /\b\d{6}\b/.test(text)).length, {
      timeout: 5_000,
    })
    .toBeGreaterThan(before);
  return codeOf(line);
}

const initiation = (paymentMode: string, more: Values = {}): Values => ({
  paymentMobile: number,
  amount: 1_000,
  countryCode: '261',
  currencyCode: 'MGA',
  emailId: 'client@example.mg',
  mobileNumber: number,
  productCode: '',
  paymentGateway: paymentMode,
  transactionType: 'PREPAID_RECHARGE',
  unit: 1,
  loggedInNumber: number,
  accountId: '',
  accountType: 'PREPAID',
  invoiceNumber: '',
  paymentMode,
  txnId: '',
  uniqueCode: '',
  ...more,
});
const processing = (transactionId: string | undefined, paymentMode: string): Values => ({
  transactionId,
  isSubscriberRequest: true,
  paymentGateway: paymentMode,
  paymentMode,
  proccessFlag: true,
  accountId: '',
  accountType: 'PREPAID',
  paymentMobile: number,
});
const initiated = {
  transactionId: words,
  encryptionKeyDetails: expect.objectContaining({ key: expect.stringMatching(/^[\w+/=]{300,}$/), keyId: words }),
};

function sealedPin(): string {
  const { key, keyId, nonce } = JSON.parse(given.encryption ?? '{}');
  given.keyId = keyId;
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const oaepLabel = Buffer.from(given.byPin ?? '');
  return publicEncrypt(
    { key: publicKey, padding, oaepHash: 'sha256', oaepLabel },
    Buffer.from(`${nonce}.1234`),
  ).toString('base64');
}

const card = { paymentMobile: '', paymentGateway: 'CARD' };
const walletToken = () => ({ authorization: `${given.tokenType} ${given.accessToken}` });
const status = expect.objectContaining({ status: words, transactionStatus: words, transactionId: words });

const section7: Specified[] = [
  {
    call: 'GET …/resource/v1/config',
    payload: { code: 'ORP' },
    answer: {
      configData: expect.objectContaining({
        preMinAmnt: expect.any(Number),
        preMaxAmnt: expect.any(Number),
        postMinAmnt: expect.any(Number),
        postMaxAmnt: expect.any(Number),
        beta: { amountToHigherValueFeature: expect.any(Boolean) },
        payStackConfig: expect.stringContaining('"key"'),
        postpaidHybridCheck: expect.any(Boolean),
        enableAmPin: expect.any(Boolean),
        customerCareNumber: words,
        pinResetDial: words,
        paymentMaxTry: expect.any(Number),
      }),
    },
    wrong: ['code', 'x'.repeat(40)],
  },
  {
    call: 'POST …/subscriber/line-type',
    payload: { msisdn: number, checkIfBroadband: false, requestType: 'PREPAID' },
    answer: 'PREPAID',
    wrong: ['msisdn', '12'],
  },
  {
    call: 'POST …/product/v1/bundle',
    payload: { data: { msisdn: number, lineType: 'PREPAID', serviceType: 'DATA' } },
    answer: expect.arrayContaining([
      expect.objectContaining({
        name: words,
        category: words,
        description: words,
        data: words,
        dataUnit: words,
        validity: words,
        validityUnit: words,
        amount: expect.any(Number),
        currency: 'MGA',
        productCode: words,
        lineType: 'PREPAID',
      }),
    ]),
    wrong: ['data.serviceType', 'GIFT'],
  },
  {
    call: 'POST …/product/v1/bundle',
    payload: { data: { serviceType: 'HBB' } },
    answer: expect.arrayContaining([expect.objectContaining({ productCode: 'H50G30' })]),
    wrong: ['data.msisdn', 12],
  },
  {
    call: 'POST …/subscriber/getopeninvoice',
    payload: { accountNo: 'PA1000000001', contactPersonEmailId: 'client@example.mg' },
    answer: {
      response: {
        invoices: expect.arrayContaining([
          expect.objectContaining({
            accountNo: 'PA1000000001',
            invoiceNo: words,
            dueDate: words,
            billingStartDate: words,
            billingEndDate: words,
            currency: 'MGA',
            outstandingAmount: expect.any(Number),
            invoiceStatus: words,
          }),
        ]),
        lineNumber: words,
        contactPersonMsisdn: words,
      },
    },
    wrong: ['accountNo', 'AB1'],
  },
  {
    call: 'POST …/optimus/otp/send',
    payload: { data: { text: postpaid, text1: '', otpAction: 'INVOICE' } },
    answer: { otpId: words },
    wrong: ['data.otpAction', 'GIFT'],
    keep: keepAs('otpId', 'otpId'),
  },
  {
    call: 'POST …/optimus/otp/resend',
    payload: async () => {
      await codeOf('390000002');
      ahead += 61_000;
      return { data: { otpId: given.otpId } };
    },
    answer: { otpId: words },
    wrong: ['data.otpId', ''],
    keep: keepAs('otpId', 'otpId'),
  },
  {
    call: 'POST …/optimus/otp/verify',
    payload: async () => ({ data: { otp: await nextCodeOf('390000002', 1), otpId: given.otpId } }),
    answer: { uniqueCode: words },
    wrong: ['data.otp', '12345'],
    keep: keepAs('uniqueCode', 'billProof'),
  },
  {
    call: 'POST …/subscriber/v1/bill',
    payload: async () => ({ data: { msisdn: postpaid, uniqueCode: given.billProof } }),
    answer: expect.objectContaining({ totalOutstanding: 45_250.4 }),
    wrong: ['data.msisdn', '12'],
  },
  {
    call: 'POST …/otp/v1/send-otp',
    payload: { data: { msisdn: number } },
    answer: { refId: words },
    wrong: ['data.msisdn', '12'],
    keep: keepAs('refId', 'refId'),
  },
  {
    call: 'POST …/otp/v1/resend-otp',
    payload: async () => {
      await codeOf('390000001');
      ahead += 61_000;
      return { data: { refId: given.refId } };
    },
    answer: { refId: words },
    wrong: ['data.refId', ''],
    keep: keepAs('refId', 'refId'),
  },
  {
    call: 'POST …/otp/v1/verify-otp',
    payload: async () => ({ data: { refId: given.refId, otp: await nextCodeOf('390000001', 1) } }),
    answer: { uniqueCode: words },
    wrong: ['data.otp', 123456],
    keep: keepAs('uniqueCode', 'numberProof'),
  },
  {
    call: 'POST …/subscriber/v4/query-balance',
    payload: async () => ({ data: { msisdn: number, uniqueCode: given.numberProof, serviceType: 'AIRTIME' } }),
    answer: {
      queryBalanceResult: [
        expect.objectContaining({
          serviceType: 'AIRTIME',
          balanceDescription: words,
          balance: 50_000,
          unitType: 'MGA',
        }),
      ],
    },
    wrong: ['data.serviceType', 'GIFT'],
  },
  {
    call: 'POST …/subscriber/validate/msisdn-account',
    payload: { data: { msisdn: postpaid, accountNo: '1000000002' } },
    answer: { uniqueCode: words },
    wrong: ['data.accountNo', '12'],
  },
  {
    call: 'POST …/subscriber/v1/fetch-balance',
    at: 'ng',
    payload: { msisdn: '09390000005', requestType: 'BALANCE' },
    answer: { otpRecipient: words, txnRefId: words },
    wrong: ['msisdn', '12'],
  },
  ...['/transaction/v1/payment-options', '/transaction/payment-options?channel=CWAAA&pg=CARD'].map(
    (path): Specified => ({
      call: `POST …${path}`,
      payload: {
        amount: 1_000,
        mobileNumber: number,
        subscriberType: 'PREPAID',
        rechargeType: 'prepaid',
        transactionType: 'PREPAID_RECHARGE',
      },
      answer: { paymentOption: expect.arrayContaining([expect.objectContaining({ name: words, type: 'PG' })]) },
      wrong: ['transactionType', 'GIFT'],
    }),
  ),
  {
    call: 'POST …/transaction/v1/initiate',
    payload: initiation('PAYMENT_GATEWAY', card),
    answer: expect.objectContaining(initiated),
    wrong: ['unit', 'one'],
    keep: keepAs('transactionId', 'byCard'),
  },
  {
    call: 'POST …/transaction/v1/process',
    payload: async () => ({ ...processing(given.byCard, 'PAYMENT_GATEWAY'), ...card }),
    answer: expect.objectContaining({ transactionId: words, redirectUrl: words }),
    wrong: ['transactionId', ''],
  },
  {
    call: 'POST …/transaction/v1/mpesa/initiate',
    payload: initiation('MPESA', { amount: 1_100 }),
    answer: expect.objectContaining(initiated),
    wrong: ['amount', -1],
    keep: keepAs('transactionId', 'byMpesa'),
  },
  {
    call: 'POST …/transaction/v1/mpesa/process',
    payload: async () => processing(given.byMpesa, 'MPESA'),
    answer: expect.objectContaining({ transactionId: words }),
    wrong: ['amPin', '1234'],
  },
  {
    call: 'POST /auth/bfe/api/portal-service/otp/v1/verify-user',
    payload: async () => {
      ahead += 61_000;
      const before = (await operators.mg.phone.messages('390000001')).filter(({ text }) => /\b\d{6}\b/.test(text));
      const payment = initiation('FANILO_MONEY', { amount: 1_200 });
      const sent = await inject('POST', `${portal}/otp/v1/send-otp`, {
        data: { msisdn: number, paymentMode: 'FANILO_MONEY', payment },
      });
      const { refId } = sent.json().result;
      const otp = await nextCodeOf('390000001', before.length);
      return { data: { refId, otp, username: number, paymentMode: 'FANILO_MONEY' } };
    },
    answer: { uniqueCode: words, tokenType: words, accessToken: words },
    wrong: ['data.refId', ''],
    keep: (result) => {
      Object.assign(given, result);
    },
  },
  {
    call: 'POST …/transaction/v1/auth/initiate',
    payload: initiation('FANILO_MONEY', { amount: 1_200 }),
    headers: walletToken,
    answer: expect.objectContaining(initiated),
    wrong: ['emailId', 'nobody'],
    keep: (result) => {
      given.byPin = String(result.transactionId);
      given.encryption = JSON.stringify(result.encryptionKeyDetails);
    },
  },
  {
    call: 'POST …/transaction/v1/auth/process',
    payload: async () => ({ ...processing(given.byPin, 'FANILO_MONEY'), amPin: sealedPin(), amPinKeyId: given.keyId }),
    headers: walletToken,
    answer: expect.objectContaining({ transactionId: words }),
    wrong: ['amPin', '1234'],
  },
  {
    call: 'GET …/transaction/v1/status',
    payload: async () => ({ tid: given.byPin }),
    answer: status,
    wrong: ['tid', '<script>'],
  },
  {
    call: 'GET …/transaction/fetch',
    payload: async () => ({ txnId: given.byMpesa }),
    answer: expect.objectContaining({
      status: words,
      transactionStatus: words,
      transactionId: words,
      transactionType: 'PREPAID_RECHARGE',
      paymentMode: 'MPESA',
      paymentGateway: 'MPESA',
      mobileNumber: words,
      msisdn: words,
      currencyCode: 'MGA',
      amount: 1_100,
    }),
    wrong: ['txnId', '<script>'],
  },
  {
    call: 'GET …/transaction/get/exchange/rate',
    at: 'cd',
    payload: { fromCurrency: 'USD', toCurrency: 'CDF', amount: '10' },
    answer: expect.objectContaining({ convertedAmount: expect.any(Number) }),
    wrong: ['amount', 'ten'],
  },
  {
    call: 'GET /api/portal-service/transaction/v1/pg-callback/status/ORP/paystack',
    payload: async () => ({ txref: given.byCard, PnrID: given.byCard, status: 'success' }),
    answer: { transactionId: words, redirectUrl: expect.stringContaining('/payment/status?id=') },
    wrong: ['txref', ''],
  },
  {
    call: 'POST /api/portal-service/subscriber/v1/send-otp-hbb',
    payload: async () => {
      ahead += 61_000;
      return {
        email: 'lova@example.mg',
        customerDetails: { fullName: 'Lova Rabe' },
        requestType: 'HBB_LEADS',
        msisdn: '0390000071',
      };
    },
    answer: { refId: words },
    wrong: ['customerDetails.fullName', ''],
    keep: keepAs('refId', 'leadRef'),
  },
  {
    call: 'POST …/subscriber/v1/submit-lead',
    payload: async () => {
      const data = { refId: given.leadRef, otp: await codeOf('390000071') };
      const verified = await inject('POST', `${portal}/otp/v1/verify-otp`, { data });
      return {
        fullName: 'Lova Rabe',
        contactNumber: '0390000071',
        email: 'lova@example.mg',
        feasibility: true,
        address: {
          type: 'INSTALLATION',
          landmark: 'Near the market',
          lat: -18.9,
          lng: 47.52,
          city: 'Antananarivo',
          street1: 'Lot II 12 Analakely',
          country: 'madagascar',
        },
        plan: { code: 'H50G30', amount: 90_000, currency: 'MGA', description: '50 GB, 30 days' },
        source: 'WEBPORTAL',
        uniqueCode: verified.json().result.uniqueCode,
        lineType: 'PREPAID',
        consent: true,
      };
    },
    answer: expect.objectContaining({ refLeadId: words }),
    wrong: ['address.lat', 'north'],
    keep: keepAs('refLeadId', 'refLeadId'),
  },
  {
    call: 'POST …/subscriber/v1/track-lead',
    payload: async () => ({ refLeadId: given.refLeadId }),
    answer: expect.objectContaining({ refLeadId: words }),
    wrong: ['refLeadId', ''],
  },
  {
    call: 'POST …/subscriber/v1/validate-fanilo-number',
    payload: { msisdn: number },
    answer: expect.anything(),
    wrong: ['msisdn', '12'],
  },
  {
    call: 'POST /api/portal-service/form/v2/save',
    payload: { formType: 'ENTERPRISE', email: 'client@example.mg', data: { company: 'Rabe et fils' } },
    answer: expect.anything(),
    wrong: ['formType', 'GIFT'],
  },
  {
    call: 'GET …/geo/v1/geocode',
    payload: { address: 'Toamasina' },
    answer: expect.objectContaining({
      results: expect.arrayContaining([
        expect.objectContaining({ geometry: { location: { lat: expect.any(Number), lng: expect.any(Number) } } }),
      ]),
    }),
    wrong: ['address', ''],
  },
];

/** These calls take no input, so it cannot be malformed. */
const bare: Pick<Specified, 'call' | 'answer'>[] = [
  {
    call: 'GET …/resource/v1/get-product-config',
    answer: expect.objectContaining({ brand: { name: 'Fanilo', slug: 'fanilo' } }),
  },
  {
    call: 'GET …/resource/v1/cities',
    answer: {
      data: expect.arrayContaining([{ cityName: 'Antananarivo', hbbLeadFeasibility: true }]),
    },
  },
];

const contentService: (Pick<Specified, 'call' | 'answer' | 'wrong'> & { query: Record<string, string> })[] = [
  {
    call: 'GET /cms/webpage/activePackage',
    query: { opco: 'MG', pageUrl: '/header' },
    answer: { packageHtml: words },
    wrong: ['pageUrl', '<script>'],
  },
  {
    call: 'GET /cms/maps/faniloshopsbycoordinates',
    query: { opco: 'MG', longitude: '47.52', latitude: '-18.91', distanceInKilometers: '100' },
    answer: expect.arrayContaining([
      expect.objectContaining({
        shop: words,
        title: words,
        location: { latitue: expect.any(Number), longitude: expect.any(Number) },
        phyLocation: words,
        phNumber: words,
      }),
    ]),
    wrong: ['latitude', 'north'],
  },
  {
    call: 'GET /cms/webpage/getFaqs_pCategory',
    query: { opco: 'MG' },
    answer: expect.arrayContaining([
      expect.objectContaining({
        category: words,
        question: words,
        answer: words,
        questionId: words,
        countLikePercentage: expect.any(Number),
        popular: 'true',
      }),
    ]),
    wrong: ['opco', 'x'.repeat(40)],
  },
  {
    call: 'GET /cms/webpage/likeCount/',
    query: { questionId: 'reset-pin', isLike: 'true', opco: 'MG' },
    answer: expect.objectContaining({ countLikePercentage: expect.any(Number) }),
    wrong: ['isLike', 'perhaps'],
  },
];

const addressOf = (call: string) => {
  const [method = '', path = ''] = call.replace('…', portal).split(' ');
  return { method: method as 'GET' | 'POST', path };
};

function inject(
  method: 'GET' | 'POST',
  url: string,
  values: Values,
  headers: Record<string, string> = {},
  at: Code = 'mg',
) {
  const more = method === 'GET' ? { query: values as Record<string, string> } : { payload: values };
  return operators[at].running.portal.http.inject({ method, url, headers: { lang: 'en', ...headers }, ...more });
}

/** The payload with one malformed field. */
function malformed(payload: Values, [field, value]: Specified['wrong']): Values {
  const copy = structuredClone(payload);
  const path = field.split('.');
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Values;
  holder[path.at(-1) ?? ''] = value;
  return copy;
}

/** The payload, which may depend on what earlier calls returned. */
const payloadOf = async ({ payload }: Pick<Specified, 'payload'>) =>
  typeof payload === 'function' ? await payload() : payload;

async function expectRefused(answer: Promise<{ statusCode: number; json(): Values }>, field: string): Promise<void> {
  const { statusCode, json } = await answer;
  expect(statusCode).toBe(422);
  expect(json()).toMatchObject({ statusCode: 'MALFORMED', status: 'failure', result: null, error: { field } });
}

describe('API-1 D14 every call of section 7 takes its payload, gives its answer, every initiate with its key, and names a malformed field with 422', () => {
  test.each(section7)('$call', async (specified) => {
    const { call, answer, wrong, headers, at, keep } = specified;
    const { method, path } = addressOf(call);
    const payload = await payloadOf(specified);
    // The malformed payload comes first: it changes nothing.
    await expectRefused(inject(method, path, malformed(payload, wrong), headers?.(), at), wrong[0]);
    const given200 = await inject(method, path, payload, { accept: 'application/json', ...headers?.() }, at);
    expect(given200.statusCode, given200.body).toBe(200);
    expect(given200.json()).toEqual({
      statusCode: 200,
      status: 'success',
      message: expect.any(String),
      result: answer,
    });
    sent.set(call, payload);
    keep?.(given200.json().result);
  });

  test.each(bare)('$call', async ({ call, answer }) => {
    const { method, path } = addressOf(call);
    expect((await inject(method, path, {})).json()).toMatchObject({
      statusCode: 200,
      status: 'success',
      result: answer,
    });
  });

  test.each(contentService)('$call', async ({ call, query, answer, wrong }) => {
    const { method, path } = addressOf(call);
    sent.set(call, query);
    await expectRefused(inject(method, path, malformed(query, wrong)), wrong[0]);
    const found = await inject(method, path, query, { 'sec-fetch-site': 'same-origin' });
    expect([found.statusCode, found.json()]).toEqual([200, answer]);
  });

  test('the content service has every page, in each language', async () => {
    const pages = ['footer', 'header', 'homepage', 'translation', 'footer-translation', 'lead-status-translation'];
    const more = ['loader-translation', 'faq', 'getHelp', 'question', 'recharge', 'search', 'storeLocator', 'network'];
    const configs = ['help-documents', 'privacy-policy-config', 'meta-data-config', 'lead-status-config'];
    for (const page of [...pages, ...more, ...configs, 'fetch-sites-data-5g'])
      for (const prefix of ['', '/sw', '/mg']) {
        const query = { opco: 'MG', pageUrl: `${prefix}/${page}` };
        const answer = await inject('GET', '/cms/webpage/activePackage', query);
        expect(answer.statusCode, query.pageUrl).toBe(200);
        expect(JSON.parse(answer.json().packageHtml), query.pageUrl).toBeTypeOf('object');
      }
  });
});

const fieldsOf = (values: Values): string[] =>
  Object.entries(values).flatMap(([key, value]) => [
    key,
    ...(typeof value === 'object' && value !== null ? fieldsOf({ ...value }) : []),
  ]);

/** The names of all fields in a schema, at any depth. */
function namesIn(schema: unknown): Set<string> {
  const names = new Set<string>();
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') for (const name of Object.keys(value)) names.add(name);
      if (key === 'name' && typeof value === 'string') names.add(value);
      walk(value);
    }
  };
  walk(schema);
  return names;
}

test('API-1 each of them is in the OpenAPI document that the product serves, with every field of its payload', async () => {
  const document = (await inject('GET', '/openapi.json', {})).json() as {
    paths: Record<string, Record<string, unknown>>;
  };
  for (const specified of [...section7, ...bare, ...contentService]) {
    const { method, path } = addressOf(specified.call);
    // The shorter prefix is another address of the same call.
    const described = path.replace(/^\/api\/portal-service/, portal).replace(/\?.*$/, '');
    expect(sent.has(specified.call) || bare.some(({ call }) => call === specified.call), specified.call).toBe(true);
    const operation = document.paths[described]?.[method.toLowerCase()];
    expect(operation, specified.call).toBeDefined();
    const names = namesIn(operation);
    for (const field of fieldsOf(sent.get(specified.call) ?? {}).filter((name) => name !== 'company'))
      expect(names, `${specified.call}: ${field}`).toContain(field);
  }
});
