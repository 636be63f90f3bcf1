import { createVisits } from '../http/visits.ts';
import { testSecret } from './database.ts';

const visits = createVisits({ secret: testSecret, isSecure: false });
const given = new Map<string, string>();

/** A valid session cookie of a test portal; the same for the same name and IP address. */
export function visitCookie(name: string, ip = '203.0.113.1'): string {
  const key = `${name} at ${ip}`;
  const visit = given.get(key) ?? visits.start(ip);
  given.set(key, visit);
  return visits.cookie(visit);
}
