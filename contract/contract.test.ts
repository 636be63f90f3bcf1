import { readFileSync } from 'node:fs';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { type CallName, callPath, calls, servedPaths } from './calls.ts';
import {
  type BodyOf,
  contract,
  type EnvelopeOf,
  errorsOf,
  type ParsedBodyOf,
  type QueryOf,
  type ResultOf,
} from './contract.ts';
import type { CallDefinition } from './define-call.ts';
import { envelope, failureEnvelope } from './envelope.ts';
import * as errorCodes from './error-codes.ts';
import { errorDetails } from './errors.ts';

const portal = '/orp/bfe/api/portal-service';
const brand = { slug: 'fanilo' };

/** The specification's table of calls, and our decisions on the paths that it leaves open. */
const specified = [
  `GET ${portal}/resource/v1/config`,
  `GET ${portal}/resource/v1/get-product-config`,
  `GET ${portal}/resource/v1/cities`,
  `POST ${portal}/subscriber/line-type`,
  `POST ${portal}/product/v1/bundle`,
  `POST ${portal}/subscriber/getopeninvoice`,
  `POST ${portal}/optimus/otp/send`,
  `POST ${portal}/optimus/otp/resend`,
  `POST ${portal}/optimus/otp/verify`,
  `POST ${portal}/otp/v1/send-otp`,
  `POST ${portal}/otp/v1/resend-otp`,
  `POST ${portal}/otp/v1/verify-otp`,
  `POST ${portal}/subscriber/validate/msisdn-account`,
  `POST ${portal}/subscriber/v1/bill`,
  `POST ${portal}/subscriber/v4/query-balance`,
  `POST ${portal}/subscriber/v1/fetch-balance`,
  `POST ${portal}/transaction/v1/payment-options`,
  `POST ${portal}/transaction/payment-options`,
  `POST ${portal}/transaction/v1/initiate`,
  `POST ${portal}/transaction/v1/auth/initiate`,
  `POST ${portal}/transaction/v1/mpesa/initiate`,
  `POST ${portal}/transaction/v1/process`,
  `POST ${portal}/transaction/v1/auth/process`,
  `POST ${portal}/transaction/v1/mpesa/process`,
  `GET ${portal}/transaction/v1/status`,
  `GET ${portal}/transaction/fetch`,
  `GET ${portal}/transaction/get/exchange/rate`,
  `GET ${portal}/transaction/v1/pg-callback/status/ORP/paystack`,
  `POST ${portal}/subscriber/v1/submit-lead`,
  `POST ${portal}/subscriber/v1/track-lead`,
  `POST ${portal}/subscriber/v1/send-otp-hbb`,
  `POST ${portal}/subscriber/v1/validate-fanilo-number`,
  `POST ${portal}/form/v2/save`,
  `GET ${portal}/geo/v1/geocode`,
  `GET ${portal}/geo/v1/suggest`,
  'POST /auth/bfe/api/portal-service/otp/v1/verify-user',
  'GET /cms/webpage/activePackage',
  'GET /cms/webpage/getFaqs_pCategory',
  'GET /cms/webpage/likeCount/',
  'POST /cms/webpage/likeCount/',
  'GET /cms/maps/faniloshopsbycoordinates',
];
const ours = [
  `POST ${portal}/analytics/v1/event`,
  `POST ${portal}/analytics/v1/search`,
  `GET ${portal}/transaction/v1/ticket`,
  `POST ${portal}/transaction/v1/ticket/write`,
  `GET ${portal}/resource/v1/announcements`,
  'GET /cms/maps/faniloshops',
];

const names = Object.keys(calls) as CallName[];
const definitions: [CallName, CallDefinition][] = names.map((name) => [name, contract[name]]);

describe('the list of calls', () => {
  test('has the calls of the specification, and our own', () => {
    const served = names.map((name) => `${calls[name].method} ${callPath(name, brand)}`);
    expect(served.sort()).toEqual([...specified, ...ours].sort());
  });

  test('portal calls answer under the short prefix too', () => {
    expect(servedPaths('saveForm')).toEqual([`${portal}/form/v2/save`, '/api/portal-service/form/v2/save']);
    expect(servedPaths('shops', brand)).toEqual(['/cms/maps/faniloshopsbycoordinates']);
  });

  test('a path with the brand needs the brand', () => {
    expect(() => callPath('shops')).toThrow(RangeError);
  });

  test('can be imported without the schema library', () => {
    for (const file of ['calls.ts', 'error-codes.ts', 'render-page.ts']) {
      expect(readFileSync(new URL(file, import.meta.url), 'utf8')).not.toMatch(/^import (?!type)/m);
    }
  });
});

describe.each(definitions)('%s', (name, definition) => {
  test('has its definition, access and errors', () => {
    expect(Object.keys(contract)).toContain(name);
    expect(definition.summary).not.toBe('');
    expect(definition.tags.length).toBeGreaterThan(0);
    expect(definition.access).toEqual({ limit: expect.any(String), proof: expect.any(String) });
    expect(definition.errors.length).toBeGreaterThan(0);
    for (const error of errorsOf(name)) expect(errorDetails[error].http).toBeGreaterThanOrEqual(400);
  });

  test('has a body if and only if it is a POST', () => {
    expect(definition.body !== undefined).toBe(calls[name].method === 'POST');
  });

  test('can be described as JSON schema', () => {
    expect(z.toJSONSchema(envelope(definition.result), { io: 'output' })).toHaveProperty('properties.result');
    for (const input of [definition.body, definition.query, definition.headers]) {
      if (input) expect(z.toJSONSchema(input, { io: 'input' })).toHaveProperty('type', 'object');
    }
  });

  test('accepts only bounded text', () => {
    for (const input of [definition.body, definition.query]) {
      if (input) expect(unboundedStrings(z.toJSONSchema(input, { io: 'input' }))).toEqual([]);
    }
  });
});

/** A pattern without `*`, `+` or `{n,}` bounds its text as well as maxLength does. */
function unboundedStrings(schema: unknown, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Record<string, unknown>;
  const isBounded = 'maxLength' in node || 'enum' in node || 'const' in node;
  const isFixed = typeof node.pattern === 'string' && !/[*+]|\{\d+,\}/.test(node.pattern.replaceAll('.*', ''));
  const found = node.type === 'string' && !isBounded && !isFixed ? [at] : [];
  return found.concat(Object.entries(node).flatMap(([key, value]) => unboundedStrings(value, `${at}/${key}`)));
}

describe('errors', () => {
  test('every code of the specification is listed once', () => {
    const codes: (number | string)[] = Object.values(errorCodes);
    expect(codes).toEqual(expect.arrayContaining([2003, 2002, 4001, 400, 502, 1004, 1006, '56D005', 60119, 60005]));
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('a failure has a code of the list', () => {
    const failure = { status: 'failure', message: 'no', result: null, error: { message: 'no' } };
    expect(failureEnvelope.safeParse({ ...failure, statusCode: '56D005' }).success).toBe(true);
    expect(failureEnvelope.safeParse({ ...failure, statusCode: 9999 }).success).toBe(false);
    expect(failureEnvelope.safeParse({ ...failure, statusCode: 200 }).success).toBe(false);
  });
});

test('types for the web follow the schemas', () => {
  expectTypeOf<BodyOf<'lineType'>['msisdn']>().toEqualTypeOf<WireNumber>();
  expectTypeOf<BodyOf<'initiate'>['amount']>().toEqualTypeOf<string | number>();
  expectTypeOf<ParsedBodyOf<'initiate'>['amount']>().toEqualTypeOf<number>();
  expectTypeOf<QueryOf<'transactionStatus'>['tid']>().toEqualTypeOf<string>();
  expectTypeOf<BodyOf<'transactionStatus'>>().toEqualTypeOf<undefined>();
  expectTypeOf<ResultOf<'lineType'>>().toEqualTypeOf<'PREPAID' | 'POSTPAID' | 'HYBRID'>();
  expectTypeOf<Extract<EnvelopeOf<'lineType'>, { status: 'success' }>['result']>().toEqualTypeOf<
    ResultOf<'lineType'>
  >();
});
