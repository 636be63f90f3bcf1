import type { HttpAnswer } from './http-client.ts';

/** Responses that no connector may read as an outcome. */
export const unclearAnswers: readonly [what: string, given: HttpAnswer][] = [
  ['silence', { kind: 'silence', detail: 'HTTP 502 with a body that is not JSON' }],
  ['nothing', { kind: 'answer', status: 200, json: null }],
  ['nothing with 204', { kind: 'answer', status: 204, json: null }],
  ['an empty object', { kind: 'answer', status: 200, json: {} }],
  ['an empty object with 201', { kind: 'answer', status: 201, json: {} }],
  ['a list', { kind: 'answer', status: 200, json: [] }],
  ['a number', { kind: 'answer', status: 200, json: 0 }],
  ['too many requests', { kind: 'answer', status: 429, json: { message: 'slow down' } }],
];
