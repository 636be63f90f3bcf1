import type { HttpClient } from '../http-client.ts';
import type { Qualification } from '../ports.ts';
import { TmfClient, type TmfSettings } from '../tmf-client.ts';
import { readCheck, writeCheck } from './messages.ts';

const checkApi = '/tmf-api/serviceQualificationManagement/v4/checkServiceQualification';
/** A short timeout: a user waits, and the list of towns is the fallback. */
const withinMs = 4_000;

/** The operator's service qualification, by TMF645. */
export function serviceQualification(http: Pick<HttpClient, 'call'>, settings: TmfSettings): Qualification {
  const client = new TmfClient(http, settings);
  return {
    check: async (place) => readCheck(await client.post(checkApi, writeCheck(place), { withinMs }), place.reference),
  };
}
