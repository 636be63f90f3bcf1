import type { WireNumber } from '@portal/domain/msisdn.ts';
import { AccessToken } from '../access-token.ts';
import type { HttpAnswer, HttpClient } from '../http-client.ts';
import type { SimSwapOutcome, SimSwaps } from '../ports.ts';
import { readCheck, readToken } from './messages.ts';

export interface SimSwapSettings {
  /** Root of the API, such as https://network.example/sim-swap/v1. */
  url: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** Timeout for token and response together: a payer waits, and the payment must be answered within two seconds. */
  limitMs: number;
  /** Converts a wire number to the international form with its plus. */
  international: (msisdn: WireNumber) => string;
}

/** CAMARA SIM Swap: whether the network changed the SIM of a number within so many hours. */
export function simSwapCheck(http: Pick<HttpClient, 'call'>, settings: SimSwapSettings): SimSwaps {
  const { clientId, clientSecret, limitMs: withinMs } = settings;
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  const token = new AccessToken(async () =>
    readToken(
      await http.call({
        method: 'POST',
        url: settings.tokenUrl,
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials&scope=sim-swap%3Acheck',
        withinMs,
      }),
    ),
  );
  return {
    async check(msisdn, withinHours) {
      const body = JSON.stringify({ phoneNumber: settings.international(msisdn), maxAge: withinHours });
      const asked = token.send(
        (value): Promise<HttpAnswer> =>
          http.call({
            method: 'POST',
            url: `${settings.url}/check`,
            headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
            body,
            withinMs,
          }),
      );
      return Promise.race([asked.then(readCheck), tooLate(withinMs)]);
    },
  };
}

function tooLate(withinMs: number): Promise<SimSwapOutcome> {
  const late: SimSwapOutcome = { kind: 'unclear', detail: 'no answer in time' };
  return new Promise((resolve) => setTimeout(resolve, withinMs, late).unref());
}
