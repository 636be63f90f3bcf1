import type { Handlers } from '../http/register-calls.ts';
import type { Analytics } from './analytics.service.ts';

export function analyticsHandlers(analytics: Analytics): Handlers {
  return {
    async recordEvent({ body, language }) {
      analytics.count(body, language);
      return null;
    },
  };
}
