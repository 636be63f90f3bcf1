import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { withFaults } from '../faults/http-faults.ts';
import { AccessTokens } from '../wire/access-tokens.ts';
import { asInteger, asRecord, asText } from '../wire/json-fields.ts';

const client = { id: 'sandbox-sim-swap-client', secret: 'sandbox-sim-swap-secret' };
const hourMs = 3_600_000;
/** CAMARA's maximum for maxAge: a hundred days. */
const longestHours = 2_400;

/** CAMARA SIM Swap: a token by client credentials, then whether the SIM was swapped within maxAge hours. */
export function registerSimSwap(app: FastifyInstance, context: SandboxContext): void {
  const { state, numbers, settings } = context;
  const tokens = new AccessTokens(settings.walletTokenSeconds);
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const refuse = (reply: FastifyReply, status: number, code: string, message: string) => {
    reply.code(status);
    return { status, code, message };
  };

  app.register(
    async (scope) => {
      scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      );

      scope.post('/token', async (request, reply) => {
        const isClient = request.headers.authorization === basic;
        if (!isClient || asRecord(request.body).grant_type !== 'client_credentials')
          return refuse(reply, 401, 'UNAUTHENTICATED', 'Client credentials are missing or wrong.');
        const { token, lifeSeconds } = tokens.issue();
        return { access_token: token, token_type: 'Bearer', expires_in: lifeSeconds };
      });

      scope.post(
        '/v1/check',
        withFaults(context, { provider: 'simSwap', operation: 'check', moves: false }, (request, reply, { kind }) => {
          if (!tokens.accepts(request.headers.authorization))
            return refuse(reply, 401, 'UNAUTHENTICATED', 'The access token is missing, wrong or expired.');
          const { phoneNumber, maxAge = 240 } = asRecord(request.body);
          const hours = asInteger(maxAge) ?? 0;
          if (hours < 1 || hours > longestHours)
            return refuse(reply, 400, 'OUT_OF_RANGE', `maxAge must be from 1 to ${longestHours}.`);
          const number = asText(phoneNumber);
          if (!number?.startsWith('+')) return refuse(reply, 400, 'INVALID_ARGUMENT', 'phoneNumber must be E.164.');
          const line = numbers.line(number) ?? '';
          if (!state.line(line))
            return refuse(reply, 404, 'IDENTIFIER_NOT_FOUND', 'There is no such line in this network.');
          if (kind === 'unlistedCode') return { swapped: 'perhaps' };
          return { swapped: state.sims.swappedWithin(line, hours * hourMs) };
        }),
      );
    },
    { prefix: '/sim-swap' },
  );

  // Swaps a SIM or activates a line, for tests and manual use.
  app.post('/sandbox/sim', async (request, reply) => {
    const { number, swappedHoursAgo, activeForHours } = asRecord(request.body);
    const line = numbers.line(String(number ?? ''));
    const given = [swappedHoursAgo, activeForHours].filter((hours) => hours !== undefined);
    const isUsable = given.length > 0 && given.every((hours) => typeof hours === 'number' && hours >= 0);
    if (!line || !state.line(line) || !isUsable)
      return reply.code(422).send({ message: 'Give number, and swappedHoursAgo or activeForHours.' });
    if (typeof swappedHoursAgo === 'number') state.sims.swap(line, Date.now() - swappedHoursAgo * hourMs);
    if (typeof activeForHours === 'number') state.sims.activate(line, Date.now() - activeForHours * hourMs);
    return reply.code(204).send();
  });
}
