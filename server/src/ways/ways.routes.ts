import type { Handlers } from '../http/register-calls.ts';
import type { Ways } from './ways.service.ts';

export const wayHandlers = ({ announcements }: Pick<Ways, 'announcements'>): Handlers => ({
  announcements: async ({ language }) => ({ announcements: await announcements.told(language) }),
});
