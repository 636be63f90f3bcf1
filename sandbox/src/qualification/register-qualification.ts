import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { withFaults } from '../faults/http-faults.ts';
import { asRecord, asText } from '../wire/json-fields.ts';
import { invalid, replyTmfError, requireBearer } from '../wire/tmf-error.ts';

const apiKey = 'sandbox-qualification-key';
const checkBase = '/qualification/tmf-api/serviceQualificationManagement/v4/checkServiceQualification';

/** Towns with home broadband: the capital of each region. */
export const servedTowns: readonly string[] = [
  ...['Ambatondrazaka', 'Ambositra', 'Ambovombe', 'Antananarivo', 'Antsirabe', 'Antsiranana', 'Antsohihy'],
  ...['Farafangana', 'Fenoarivo Atsinanana', 'Fianarantsoa', 'Ihosy', 'Maevatanana', 'Mahajanga', 'Maintirano'],
  ...['Manakara', 'Mananjary', 'Maroantsetra', 'Miarinarivo', 'Morondava', 'Sambava', 'Toamasina', 'Tôlanaro'],
  ...['Toliara', 'Tsiroanomandidy'],
];

const folded = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
const atFirst = servedTowns.map(folded);

/** Service qualification by TMF645. For another country's towns it answers that it does not know. */
export function registerQualification(app: FastifyInstance, context: SandboxContext): void {
  const served = new Set(atFirst);
  context.state.onReset(() => {
    served.clear();
    for (const town of atFirst) served.add(town);
  });

  function resultOf(item: unknown): 'qualified' | 'unqualified' | undefined {
    const places = asRecord(asRecord(item).service).place;
    const [place] = Array.isArray(places) ? places.map(asRecord) : [];
    const town = asText(place?.city);
    if (!town || context.settings.country !== 'MG') return undefined;
    return served.has(folded(town)) ? 'qualified' : 'unqualified';
  }

  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => requireBearer(request, apiKey));
    scope.setErrorHandler((error, _request, reply) => replyTmfError(error, reply));
    scope.post(
      checkBase,
      withFaults(
        context,
        { provider: 'qualification', operation: 'check', moves: false },
        (request, reply, { kind }) => {
          const body = asRecord(request.body);
          const items = Array.isArray(body.serviceQualificationItem) ? body.serviceQualificationItem : [];
          if (items.length === 0) throw invalid('serviceQualificationItem is missing.');
          const results = items.map(resultOf);
          const isKnown = results.every((result) => result !== undefined);
          const whole = results.every((result) => result === 'qualified') ? 'qualified' : 'unqualified';
          reply.code(201);
          return {
            ...body,
            id: `SQ-${randomUUID().slice(0, 8)}`,
            state: isKnown ? 'done' : 'terminatedWithError',
            ...(isKnown ? { qualificationResult: kind === 'unlistedCode' ? 'perhaps' : whole } : {}),
            serviceQualificationItem: items.map((item, index) => ({
              ...asRecord(item),
              state: 'done',
              ...(results[index] ? { qualificationResult: results[index] } : {}),
            })),
          };
        },
      ),
    );
  });

  // Connects or disconnects a town, for tests and manual use.
  app.post('/sandbox/qualification', async (request, reply) => {
    const { town, isServed } = asRecord(request.body);
    if (typeof town !== 'string' || typeof isServed !== 'boolean')
      return reply.code(422).send({ message: 'Give town and isServed.' });
    if (isServed) served.add(folded(town));
    else served.delete(folded(town));
    return reply.code(204).send();
  });
}
