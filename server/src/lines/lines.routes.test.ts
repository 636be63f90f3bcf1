import { expect, test, vi } from 'vitest';
import { PortalError } from '../http/portal-error.ts';
import { lineHandlers } from './lines.routes.ts';
import type { Line } from './lines.service.ts';

const accountOf = vi.fn<(msisdn: string) => Promise<string | null>>();

function lineType(lineTypeFound: Line['lineType'], body: { requestType?: string; checkIfBroadband?: boolean } = {}) {
  const line: Line = { lineType: lineTypeFound, broadband: false, codeRecipient: null, since: null };
  const handlers = lineHandlers({ find: async () => line, balances: async () => [] }, { accountOf });
  const request = {
    body: { msisdn: '0390000003' as const, ...body },
    query: undefined as never,
    headers: {},
    ip: '127.0.0.1',
    language: 'en-GB',
  };
  return handlers.lineType?.(request);
}

const check = { requestType: 'HYBRID_POSTPAID_CHECK' };

test('POS-2 a hybrid line without a postpaid account is refused by the check, and by nothing else', async () => {
  accountOf.mockResolvedValue(null);
  await expect(lineType('HYBRID', check)).rejects.toMatchObject({ kind: 'lineNotEligible' });
  expect(await lineType('HYBRID')).toBe('HYBRID');
  expect(await lineType('HYBRID', { requestType: 'ANYTHING' })).toBe('HYBRID');
});

test('POS-2 with an account it is accepted, and only hybrid lines are looked up', async () => {
  accountOf.mockReset().mockResolvedValue('1000000003');
  expect(await lineType('HYBRID', check)).toBe('HYBRID');
  expect(accountOf).toHaveBeenCalledTimes(1);
  expect(await lineType('POSTPAID', check)).toBe('POSTPAID');
  await expect(lineType('PREPAID', check)).rejects.toMatchObject({ kind: 'lineNotEligible' });
  expect(accountOf).toHaveBeenCalledTimes(1);
});

test('POS-2 no response of the billing system does not refuse the line', async () => {
  accountOf.mockRejectedValue(new PortalError('lineSilent'));
  await expect(lineType('HYBRID', check)).rejects.toMatchObject({ kind: 'upstreamTimeout' });
});

test('BRB-1 a line without broadband is refused on the broadband page', async () => {
  await expect(lineType('PREPAID', { checkIfBroadband: true })).rejects.toMatchObject({ kind: 'lineNotEligible' });
});
