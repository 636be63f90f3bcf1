import { afterAll, beforeAll, expect } from 'vitest';
import { sandboxTests } from '../../../sandbox/src/sandbox-tests.fixture.ts';
import { HttpClient } from './http-client.ts';
import type { EnquiryOutcome } from './ports.ts';

/** The client of the test file that called `gatewayTests`. */
export let http: HttpClient;

/** Tests a gateway against its emulator, with a fresh sandbox for each test. */
export function gatewayTests(settings: Parameters<typeof sandboxTests>[0] = {}): void {
  sandboxTests(settings);
  beforeAll(() => {
    http = new HttpClient();
  });
  afterAll(() => http.close());
}

/** Polls until the enquiry gives a final outcome. */
export async function settled(enquire: () => Promise<EnquiryOutcome>): Promise<EnquiryOutcome> {
  const known = async () => {
    const outcome = await enquire();
    expect(['pending', 'notFound']).not.toContain(outcome.kind);
    return outcome;
  };
  return expect.poll(known).toBeDefined().then(known);
}
