import { describe, expect, test, vi } from 'vitest';
import { startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { phone, sandbox } from '../../../../sandbox/src/sandbox-tests.fixture.ts';
import { gatewayTests, http } from '../gateway-tests.fixture.ts';
import type { HttpAnswer, HttpCall } from '../http-client.ts';
import type { InstallationPlace } from '../ports.ts';
import { serviceQualification } from './index.ts';
import { readCheck } from './messages.ts';

const place: InstallationPlace = {
  reference: 'HB1',
  productCode: 'H50G30',
  town: 'Antananarivo',
  country: 'madagascar',
  point: { lat: -18.9, lng: 47.52 },
};
const created = (json: unknown, status = 201): HttpAnswer => ({ kind: 'answer', status, json });
const item = (more: object) => ({ id: '1', state: 'done', service: { place: [{ city: 'Antananarivo' }] }, ...more });
const checkOf = (more: object) => created({ id: 'SQ-1', externalId: 'HB1', state: 'done', ...more });
const kindOf = (answer: HttpAnswer) => readCheck(answer, 'HB1').kind;

test('LEA-5 sends town, point and plan but no personal data, with its key, within four seconds', async () => {
  const call = vi.fn<(call: HttpCall) => Promise<HttpAnswer>>(async () =>
    checkOf({ qualificationResult: 'qualified' }),
  );
  const settings = { url: 'https://network.example', key: 'secret-key' };
  expect(await serviceQualification({ call }, settings).check(place)).toEqual({ kind: 'served' });
  const [sent] = call.mock.calls[0] ?? [];
  expect(sent).toMatchObject({
    method: 'POST',
    url: 'https://network.example/tmf-api/serviceQualificationManagement/v4/checkServiceQualification',
    headers: { authorization: 'Bearer secret-key' },
    withinMs: 4_000,
  });
  const body = JSON.parse(sent?.body ?? '');
  expect(Object.keys(body).sort()).toEqual([
    '@type',
    'externalId',
    'instantSyncQualification',
    'provideAlternative',
    'provideUnavailabilityReason',
    'serviceQualificationItem',
  ]);
  expect(body.serviceQualificationItem).toEqual([
    {
      id: '1',
      service: {
        serviceSpecification: { id: 'H50G30' },
        place: [
          {
            '@type': 'GeographicAddress',
            role: 'installationAddress',
            city: 'Antananarivo',
            country: 'madagascar',
            geographicLocation: { geometryType: 'point', spatialRef: 'WGS84', geometry: [{ x: 47.52, y: -18.9 }] },
          },
        ],
      },
    },
  ]);
  await serviceQualification({ call }, settings).check({ ...place, point: null });
  expect(call.mock.calls[1]?.[0].body).not.toContain('geographicLocation');
});

describe('LEA-5 a response is read as', () => {
  test.each<[string, string, HttpAnswer]>([
    ['served', 'the whole alone', checkOf({ qualificationResult: 'qualified' })],
    ['notServed', 'the whole alone, refused', checkOf({ qualificationResult: 'unqualified' })],
    ['served', 'its item', checkOf({ serviceQualificationItem: [item({ qualificationResult: 'qualified' })] })],
    [
      'notServed',
      'the item of an older version',
      checkOf({ serviceQualificationItem: [item({ qualificationItemResult: 'unqualified' })] }),
    ],
    ['served', 'an eligibility', checkOf({ eligibilityResult: 'eligible' })],
    [
      'notServed',
      'an eligibility that is none',
      checkOf({ serviceQualificationItem: [item({ eligibilityResult: 'ineligible' })] }),
    ],
    ['served', 'no state and no id of ours', created({ qualificationResult: 'qualified' }, 200)],
    [
      'served',
      'a number for an id',
      checkOf({ serviceQualificationItem: [item({ id: 1, qualificationResult: 'qualified' })] }),
    ],
    ['unclear', 'something else instead', checkOf({ qualificationResult: 'alternate' })],
    ['unclear', 'a word that nobody listed', checkOf({ qualificationResult: 'perhaps' })],
    ['unclear', 'a word written otherwise', checkOf({ qualificationResult: 'QUALIFIED' })],
    ['unclear', 'a name that every object has', checkOf({ qualificationResult: 'constructor' })],
    [
      'unclear',
      'whole and item against each other',
      checkOf({
        qualificationResult: 'qualified',
        serviceQualificationItem: [item({ qualificationResult: 'unqualified' })],
      }),
    ],
    [
      'unclear',
      'an item that nobody asked about',
      checkOf({ qualificationResult: 'qualified', serviceQualificationItem: [item({ id: '2' })] }),
    ],
    ['unclear', 'the answer to another question', checkOf({ externalId: 'HB2', qualificationResult: 'qualified' })],
    ['unclear', 'not done yet', checkOf({ state: 'inProgress', qualificationResult: 'qualified' })],
    ['unclear', 'ended in an error', checkOf({ state: 'terminatedWithError' })],
    ['unclear', 'accepted for later', created({ qualificationResult: 'qualified' }, 202)],
    ['unclear', 'no verdict', checkOf({ serviceQualificationItem: [] })],
    ['unclear', 'a wrong key', created({ code: '1', reason: 'unauthorized' }, 401)],
    ['unclear', 'a failure', created(null, 500)],
    ['unclear', 'a text', created('qualified')],
    ['unclear', 'a truth', checkOf({ qualificationResult: true })],
    ['unclear', 'silence', { kind: 'silence', detail: 'TimeoutError' }],
  ])('%s: %s', (kind, _what, answer) => {
    expect(kindOf(answer)).toBe(kind);
  });

  test('any response counts only if all of its verdicts are known and agree', () => {
    const words = ['qualified', 'unqualified', 'eligible', 'alternate', 'done', 'inProgress', '', 'HB1', '1'];
    const values = [...words, null, 0, 1, -1, 1e308, true, [], {}, '\u0000', 'x'.repeat(5_000)];
    const whole = {
      id: 'SQ-1',
      externalId: 'HB1',
      state: 'done',
      qualificationResult: 'qualified',
      serviceQualificationItem: [item({ qualificationResult: 'qualified', eligibilityResult: 'eligible' })],
    };
    const seen = new Set<string>();
    for (let seed = 1; seed <= 1_000; seed += 1) {
      let state = seed;
      const mutated = JSON.parse(JSON.stringify(whole), (_key, value) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % 6 === 0 ? values[state % values.length] : value;
      });
      const kind = kindOf(created(mutated, seed % 9 === 0 ? 200 : 201));
      seen.add(kind);
      const verdicts = JSON.stringify(mutated).match(/"(?:qualification|eligibility)\w*Result":"[^"]+"/g) ?? [];
      if (kind === 'served') expect(verdicts.every((one) => /:"(qualified|eligible)"$/.test(one))).toBe(true);
      if (kind === 'notServed') expect(verdicts.every((one) => one.endsWith(':"unqualified"'))).toBe(true);
      if (kind !== 'unclear') expect([undefined, null, '', 'done']).toContain(mutated.state);
    }
    expect(seen).toContain('served');
    expect(seen).toContain('unclear');
  });
});

describe('against the sandbox', () => {
  gatewayTests();
  const ask = (town: string, key = 'sandbox-qualification-key') =>
    serviceQualification(http, { url: `${sandbox.http}/qualification`, key }).check({ ...place, town });

  test('LEA-5 the capitals of the regions are served, other towns are not, and faults prove nothing', async () => {
    expect(await ask('TOLANARO')).toEqual({ kind: 'served' });
    expect(await ask('Ambanja')).toEqual({ kind: 'notServed' });
    expect((await ask('Antananarivo', 'other')).kind).toBe('unclear');
    for (const fault of ['error500', 'loseAnswer', 'refuse', 'unlistedCode']) {
      await phone.fault({ provider: 'qualification', operation: 'check', fault, times: 1 });
      expect((await ask('Antananarivo')).kind, fault).toBe('unclear');
    }
    expect((await ask('Antananarivo')).kind).toBe('served');
  });

  test('without towns it gives no verdict', async () => {
    const elsewhere = await startSandbox({ country: 'NG' });
    const settings = { url: `${elsewhere.http}/qualification`, key: 'sandbox-qualification-key' };
    expect((await serviceQualification(http, settings).check(place)).kind).toBe('unclear');
    await elsewhere.stop();
  });
});
