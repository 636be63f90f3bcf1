import { afterAll, beforeAll, expect } from 'vitest';
import { sandboxTests } from '../../../sandbox/src/sandbox-tests.fixture.ts';
import { HttpClient } from './http-client.ts';
import type { EnquiryOutcome } from './ports.ts';

/** Of the test file that called `gatewayTests`. */
export let http: HttpClient;

/** A gateway against its emulator: every test of the file begins with a sandbox as it starts. */
export function gatewayTests(settings: Parameters<typeof sandboxTests>[0] = {}): void {
  sandboxTests(settings);
  beforeAll(() => {
    http = new HttpClient();
  });
  afterAll(() => http.close());
}

/** What the gateway says once it knows. */
export async function settled(enquire: () => Promise<EnquiryOutcome>): Promise<EnquiryOutcome> {
  const known = async () => {
    const outcome = await enquire();
    expect(['pending', 'notFound']).not.toContain(outcome.kind);
    return outcome;
  };
  return expect.poll(known).toBeDefined().then(known);
}
