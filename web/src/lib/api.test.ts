import { type CallName, calls } from '@portal/contract/calls.ts';
import type { TransportRequest } from '@portal/contract/render-page.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { browserTransport, createApi, fallbackWords, messageOr, readEnvelope } from './api.ts';

const context = { operator: pack, language: 'FR', words: fallbackWords({}) };
const { wentWrong, noAnswer } = context.words;
const success = { statusCode: 200, status: 'success', message: 'OK', result: 'PREPAID' };

const answering = (status: number, body: unknown) => {
  const sent: TransportRequest[] = [];
  const api = createApi(async (request) => {
    sent.push(request);
    return { status, body };
  }, context);
  return { api, sent };
};

describe('APP-13 the shared client', () => {
  test('APP-13 sends the service headers and the language', async () => {
    const { api, sent } = answering(200, success);
    await api('lineType', { body: { msisdn: '0390000001' }, headers: { 'idempotency-key': 'abc' } });
    expect(sent[0]).toMatchObject({ method: 'POST', path: '/orp/bfe/api/portal-service/subscriber/line-type' });
    expect(sent[0]?.headers).toEqual({
      'x-product-code': 'ORP',
      'x-app-version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'x-api-key': expect.stringMatching(/./),
      'x-service-id': expect.stringMatching(/./),
      'x-operator': 'MG',
      'x-run-mode': 'beta',
      'x-unmask-request': 'true',
      'x-channel': 'CWAAA',
      lang: 'fr',
      'idempotency-key': 'abc',
    });
  });

  test.each([
    ['statusCode 200', { statusCode: 200, result: 1 }],
    ['status success', { statusCode: 'X', status: 'success', result: 1 }],
    ['status SUCCESS', { status: 'SUCCESS', result: 1 }],
    ['status Success', { status: 'Success', result: 1 }],
  ])('APP-13 %s is a success', (_what, body) => {
    expect(readEnvelope(body, '')).toEqual({ ok: true, result: 1 });
  });

  test.each([
    [
      'the message of the answer',
      { message: 'first', error: { message: 'third', error: { message: 'second' } } },
      'first',
    ],
    ['the message inside the error', { error: { message: 'third', error: { message: 'second' } } }, 'second'],
    ['the message of the error', { message: '', error: { message: 'third' } }, 'third'],
    ['our own words', { error: {} }, 'Something Went Wrong!'],
    ['our own words for nothing', null, 'Something Went Wrong!'],
    ['our own words for a text', 'Bad gateway', 'Something Went Wrong!'],
    ['our own words for a list', [], 'Something Went Wrong!'],
  ])('APP-13 a failure says %s', (_what, body, message) => {
    expect(readEnvelope(body, 'Something Went Wrong!')).toMatchObject({ ok: false, message });
  });

  test('APP-13 a failure carries its code, a number or a text, and the field at fault', async () => {
    const { api } = answering(422, {
      statusCode: 'MALFORMED',
      status: 'failure',
      message: 'no',
      error: { field: 'msisdn' },
    });
    expect(await api('lineType')).toEqual({
      ok: false,
      code: 'MALFORMED',
      message: 'no',
      isSaid: true,
      field: 'msisdn',
    });
    expect(readEnvelope({ statusCode: 2003, message: 'x' }, '')).toMatchObject({ code: 2003 });
    expect(readEnvelope({ statusCode: '56D005', message: 'x' }, '')).toMatchObject({ code: '56D005' });
  });

  test.each([
    ['no network', new TypeError('Failed to fetch'), 'OFFLINE', noAnswer],
    ['no answer in time', new DOMException('late', 'TimeoutError'), 'TIMEOUT', noAnswer],
    ['a screen that went', new DOMException('gone', 'AbortError'), 'ABORTED', wentWrong],
    ['a page instead of JSON', new SyntaxError('Unexpected token <'), 'OFFLINE', noAnswer],
    ['something thrown that is no error', 'oops', 'OFFLINE', noAnswer],
  ])('APP-13 D15 %s is a value with words, never a throw', async (_what, error, code, message) => {
    const api = createApi(() => Promise.reject(error), context);
    expect(await api('lineType')).toEqual({ ok: false, code, message });
  });

  test.each(Object.keys(calls) as CallName[])(
    "APP-13 D15 %s: the answer's words at 429, 500, 502 and 503, ours where it has none, and 'no answer' only for none",
    async (name) => {
      for (const status of [429, 500, 502, 503]) {
        const said = answering(status, {
          statusCode: 'X',
          status: 'failure',
          message: `said at ${status}`,
          result: null,
        });
        expect(await said.api(name)).toMatchObject({
          ok: false,
          code: 'X',
          message: `said at ${status}`,
          isSaid: true,
        });
        for (const body of [null, 'Bad gateway', {}, []]) {
          const failure = await answering(status, body).api(name);
          expect(failure).toMatchObject({ ok: false, message: wentWrong });
          expect(failure).not.toHaveProperty('isSaid');
        }
      }
      const silent = createApi(() => Promise.reject(new TypeError('Failed to fetch')), context);
      expect(await silent(name)).toMatchObject({ ok: false, message: noAnswer });
    },
  );

  test("D15 a screen's own text is shown only where the answer has none", () => {
    const failure = { ok: false, code: 'UNKNOWN', message: 'said' } as const;
    expect(messageOr({ ...failure, isSaid: true }, 'own')).toBe('said');
    expect(messageOr(failure, 'own')).toBe('own');
  });

  test('APP-13 a status of the wrong type does not throw', async () => {
    const { api } = answering(200, { status: 5, statusCode: {} });
    expect(await api('lineType')).toMatchObject({ ok: false, message: 'Something Went Wrong!' });
  });

  test('the content service answers without an envelope', async () => {
    const { api, sent } = answering(200, { packageHtml: '{}' });
    expect(await api('activePackage', { query: { opco: 'MG', pageUrl: '/footer' } })).toEqual({
      ok: true,
      result: { packageHtml: '{}' },
    });
    expect(sent[0]).toMatchObject({ path: '/cms/webpage/activePackage', query: { pageUrl: '/footer' } });
    const failing = answering(404, { statusCode: 'NOT_FOUND', status: 'failure', message: 'no' });
    expect(await failing.api('activePackage')).toMatchObject({ ok: false, code: 'NOT_FOUND' });
  });

  test('APP-13 HTML in place of content is a failure, not empty content', async () => {
    const { api } = answering(200, null);
    expect(await api('faqs')).toEqual({ ok: false, code: 'UNKNOWN', message: 'Something Went Wrong!' });
  });

  test("the brand's slug is filled into paths", async () => {
    const { api, sent } = answering(200, success);
    await api('validateBrandNumber', { body: { msisdn: '0390000001' } });
    expect(sent[0]?.path).toBe('/orp/bfe/api/portal-service/subscriber/v1/validate-fanilo-number');
  });
});

describe('APP-13 in the browser', () => {
  const fetched = vi.fn<typeof fetch>();
  const warned = vi.fn();
  beforeEach(() => {
    fetched.mockReset();
    warned.mockReset();
    vi.stubGlobal('fetch', fetched);
    vi.spyOn(console, 'warn').mockImplementation(warned);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test('APP-13 JSON is sent with its content type, the query in the URL, and cookies to the same origin only', async () => {
    fetched.mockResolvedValue(new Response(JSON.stringify(success)));
    await browserTransport({
      method: 'POST',
      path: '/call',
      query: { a: 'b c' },
      body: { x: 1 },
      headers: { lang: 'en' },
    });
    const [url, options] = fetched.mock.calls[0] ?? [];
    expect(url).toBe('/call?a=b+c');
    expect(options).toMatchObject({ method: 'POST', body: '{"x":1}', credentials: 'same-origin' });
    expect(options?.headers).toEqual({ lang: 'en', 'content-type': 'application/json' });
    expect(options?.signal).toBeInstanceOf(AbortSignal);
  });

  test.each([
    ['breaks off', new TypeError('network error'), 'OFFLINE'],
    ['stops coming', new DOMException('no answer in time', 'TimeoutError'), 'TIMEOUT'],
    ['is no longer waited for', new DOMException('gone', 'AbortError'), 'ABORTED'],
    ['is a page of a proxy', new SyntaxError('Unexpected token <'), 'UNKNOWN'],
  ])('APP-13 PAY-9 an answer that %s half-way is not an answer', async (_what, error, code) => {
    for (const name of ['faqs', 'process'] as const) {
      fetched.mockResolvedValueOnce(Object.assign(new Response(), { json: () => Promise.reject(error) }));
      expect(await createApi(browserTransport, context)(name)).toMatchObject({ ok: false, code });
    }
  });

  test('APP-13 a failed response is logged without the request’s body', async () => {
    fetched.mockResolvedValue(new Response(JSON.stringify({ statusCode: 'INTERNAL' }), { status: 500 }));
    const answer = await browserTransport({
      method: 'POST',
      path: '/call',
      query: { tid: 'secret' },
      body: { pin: '1234' },
    });
    expect(answer).toEqual({ status: 500, body: { statusCode: 'INTERNAL' } });
    expect(warned).toHaveBeenCalledWith('POST /call answered 500');
  });

  test('APP-13 leaving a screen aborts its request', async () => {
    const abort = new AbortController();
    fetched.mockImplementation(
      (_url, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        }),
    );
    const api = createApi(browserTransport, context);
    const answer = api('lineType', { signal: abort.signal });
    abort.abort();
    expect(await answer).toMatchObject({ ok: false, code: 'ABORTED' });
  });

  test('APP-13 a request without a response times out, with and without an abort signal', async () => {
    vi.useFakeTimers();
    fetched.mockImplementation(
      (_url, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        }),
    );
    const api = createApi(browserTransport, context);
    const answers = [api('lineType'), api('lineType', { signal: new AbortController().signal })];
    await vi.advanceTimersByTimeAsync(30_000);
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ ok: false, code: 'TIMEOUT' });
    vi.useRealTimers();
  });
});
