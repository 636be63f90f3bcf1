import { createHmac } from 'node:crypto';
import { type Budgets, networkDraws } from '../budgets/budgets.service.ts';
import { refuseOtherOperators } from '../http/own-operator.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import type { Help } from './help.service.ts';

type Headers = Record<string, unknown>;

export function helpHandlers(
  help: Help,
  { opco, visits, budgets, secret }: { opco: string; visits: Visits; budgets: Budgets; secret: string },
): Handlers {
  const ours = refuseOtherOperators(opco);

  /** A browser is known by its visit; a client without one by where it asks from. */
  function voterOf(headers: Headers, ip: string): string {
    const visit = visits.ofBrowser(headers);
    if (visit) return visit;
    const address = `${ip} ${headers['user-agent'] ?? ''}`;
    return `a-${createHmac('sha256', secret).update(address).digest('base64url').slice(0, 22)}`;
  }

  async function vote(questionId: string, liked: boolean, { headers, ip }: { headers: Headers; ip: string }) {
    const [nearest] = networkDraws('voteAnswer', ip);
    const onAnswer = nearest ? [{ ...nearest, subject: `${questionId} from ${nearest.subject}` }] : [];
    if (await budgets.take([...onAnswer, ...networkDraws('voteNetwork', ip), { budget: 'voteAll', subject: '' }]))
      throw new PortalError('tooManyThisHour');
    return help.vote({ questionId, liked, voter: voterOf(headers, ip) });
  }

  return {
    async faqs({ query, language }) {
      ours(query.opco);
      return help.faqs(language, query.questionId);
    },
    async vote({ body, ...from }) {
      ours(body.opco);
      return vote(body.questionId, body.isLike, from);
    },
    async voteByLink({ query, ...from }) {
      ours(query.opco);
      if (!cameFromOurPage(from.headers)) return help.score(query.questionId);
      return vote(query.questionId, query.isLike, from);
    },
  };
}

/** An address can be put into any page or message, so only our own page's word counts. */
function cameFromOurPage(headers: Headers): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  try {
    return new URL(String(headers.referer)).host === headers.host;
  } catch {
    return false;
  }
}
