import { expect, test } from 'vitest';
import { runFailover } from './failover.ts';

test('REL-8 after the loss of the primary every acknowledged payment is stored and the portal recovers within a minute', async () => {
  const report = await runFailover({ seed: 1, seconds: 4 });
  expect(report.problems.join('\n')).toBe('');
  expect(report.paymentsBefore).toBeGreaterThan(5);
  expect(report.payments).toBeGreaterThan(report.paymentsBefore);
  expect(report.isSameProcess).toBe(true);
  expect(report.secondsWithout).toBeLessThan(60);
});
