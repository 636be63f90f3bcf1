import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { refuseCrossSiteWrites } from './cross-site.ts';

test.each([
  ['https://portal.example', 'https://portal.example', 'taken'],
  ['https://portal.example', 'http://portal.example', 'refused'],
  ['http://portal.example', 'http://portal.example', 'taken'],
])(
  'SEC-11 on %s a write from a page of %s is %s: what came unencrypted may be anybody’s',
  async (publicUrl, origin, becomes) => {
    const app = Fastify();
    refuseCrossSiteWrites(app, { publicUrl });
    app.post('/', async () => 'taken');
    const answer = await app.inject({ method: 'POST', url: '/', headers: { origin, host: 'portal.example' } });
    expect(answer.statusCode === 200 ? answer.body : 'refused').toBe(becomes);
    await app.close();
  },
);
