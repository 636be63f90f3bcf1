import { z } from 'zod';
import type { HttpAnswer } from '../http-client.ts';
import type { InstallationPlace, QualificationOutcome } from '../ports.ts';
import { unclear } from '../tmf-client.ts';

const itemId = '1';

/** Versions of TMF645 have different fields for the same verdict, on the whole and on each item. */
const verdictFields = {
  qualificationResult: z.string().nullish(),
  qualificationItemResult: z.string().nullish(),
  eligibilityResult: z.string().nullish(),
};
const answered = z.object({
  externalId: z.string().nullish(),
  state: z.string().nullish(),
  ...verdictFields,
  serviceQualificationItem: z
    .array(z.object({ id: z.union([z.string(), z.number()]).transform(String), ...verdictFields }))
    .nullish(),
});
type Verdicts = { [Field in keyof typeof verdictFields]?: string | null | undefined };

/** `alternate` means that something else could be installed, which does not answer the question. */
const meanings = new Map([
  ['qualified', true],
  ['eligible', true],
  ['unqualified', false],
  ['ineligible', false],
]);

const wordsOf = (part: Verdicts): string[] =>
  [part.qualificationResult, part.qualificationItemResult, part.eligibilityResult].flatMap((word) => word ?? []);

/** The request in the form of TMF645; it does not say who asks. */
export function writeCheck({ reference, productCode, town, country, point }: InstallationPlace): object {
  const location = {
    geometryType: 'point',
    spatialRef: 'WGS84',
    geometry: point ? [{ x: point.lng, y: point.lat }] : [],
  };
  return {
    '@type': 'CheckServiceQualification',
    externalId: reference,
    instantSyncQualification: true,
    provideAlternative: false,
    provideUnavailabilityReason: false,
    serviceQualificationItem: [
      {
        id: itemId,
        service: {
          serviceSpecification: { id: productCode },
          place: [
            {
              '@type': 'GeographicAddress',
              role: 'installationAddress',
              city: town,
              country,
              ...(point ? { geographicLocation: location } : {}),
            },
          ],
        },
      },
    ],
  };
}

/** All verdicts in the response must be known and agree; anything else is unclear. */
export function readCheck(answer: HttpAnswer, reference: string): QualificationOutcome {
  if (answer.kind === 'silence') return unclear(answer);
  const parsed = [200, 201].includes(answer.status) ? answered.safeParse(answer.json) : null;
  if (!parsed?.success) return unclear(answer);
  const { externalId, state, serviceQualificationItem: items, ...whole } = parsed.data;
  if (externalId && externalId !== reference) return { kind: 'unclear', detail: 'an answer to another question' };
  if (state && state !== 'done') return { kind: 'unclear', detail: `a check that is ${state}` };
  if (items?.some(({ id }) => id !== itemId)) return { kind: 'unclear', detail: 'an item that nobody asked about' };
  const verdicts = new Set([...wordsOf(whole), ...(items ?? []).flatMap(wordsOf)].map((word) => meanings.get(word)));
  const [isServed] = verdicts;
  if (verdicts.size !== 1 || isServed === undefined) return { kind: 'unclear', detail: 'no verdict that is listed' };
  return { kind: isServed ? 'served' : 'notServed' };
}
