import type { ResultOf } from '@portal/contract/contract.ts';
import * as errorCodes from '@portal/contract/error-codes.ts';
import { leadTags } from '@portal/domain/constants.ts';
import { fromWire } from '@portal/domain/msisdn.ts';
import { paths } from '@portal/domain/paths.ts';
import type { Api } from '../../lib/api.ts';
import type { QueryData, WorksVisit } from '../../lib/session.ts';

export type TrackedLead = ResultOf<'trackLead'>;

/** The result of tracking a lead; the message of a failure is a text key or the server's own. */
export type Tracking =
  | { state: 'none'; id: string }
  | { state: 'found'; id: string; lead: TrackedLead }
  /** Null where the text cannot be an id, and no request was made. */
  | { state: 'unknown'; id: string; message: string | null }
  | { state: 'failed'; id: string; message: string };

/** The order of a request that was left before it was paid. */
export const trackedOrder = (
  { refLeadId, planDescription = '' }: TrackedLead,
  { msisdn, ...toPay }: NonNullable<TrackedLead['toPay']>,
  works: WorksVisit | null,
): QueryData => ({
  ...toPay,
  msisdn: fromWire(msisdn),
  description: planDescription,
  transactionType: leadTags.type,
  leadId: refLeadId,
  redirectPage: paths.homeBroadbandStatus,
  ...(works ? { flow: leadTags.paymentMode } : {}),
  bundleInfo: { amount: toPay.amount, lineType: toPay.lineType, description: planDescription },
});

/** Accepts spaces, hyphens and lower case, as when read out or pasted. */
export const readLeadId = (text: string) => text.replaceAll(/[\s-]/g, '').toUpperCase().slice(0, 64);

export async function trackLead(api: Api, text: string, signal?: AbortSignal): Promise<Tracking> {
  const id = readLeadId(text);
  if (id === '') return { state: 'none', id };
  if (!/^[A-Z0-9._:=-]+$/.test(id)) return { state: 'unknown', id, message: null };
  const answer = await api('trackLead', { body: { refLeadId: id }, ...(signal ? { signal } : {}) });
  if (answer.ok) return { state: 'found', id, lead: answer.result };
  if (answer.code === errorCodes.notFound)
    return { state: 'unknown', id, message: answer.isSaid ? answer.message : null };
  return { state: 'failed', id, message: answer.message };
}
