import { createHmac } from 'node:crypto';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import type { Help } from './help.service.ts';

type Headers = Record<string, unknown>;

export function helpHandlers(
  help: Help,
  { opco, visits, secret }: { opco: string; visits: Visits; secret: string },
): Handlers {
  function ours(named: string): void {
    if (named !== opco) throw new PortalError('notFound', 'There is no such operator.', { field: 'opco' });
  }

  /** A browser is known by its visit; a client without one by where it asks from. */
  function voterOf(headers: Headers, ip: string): string {
    const visit = visits.of(headers);
    if (visit) return visit;
    const address = `${ip} ${headers['user-agent'] ?? ''}`;
    return `a-${createHmac('sha256', secret).update(address).digest('base64url').slice(0, 22)}`;
  }

  return {
    async faqs({ query, language }) {
      ours(query.opco);
      return help.faqs(language, query.questionId);
    },
    async vote({ body, headers, ip }) {
      ours(body.opco);
      return help.vote({ questionId: body.questionId, liked: body.isLike, voter: voterOf(headers, ip) });
    },
    async voteByLink({ query, headers, ip }) {
      ours(query.opco);
      if (!cameFromOurPage(headers)) return help.score(query.questionId);
      return help.vote({ questionId: query.questionId, liked: query.isLike, voter: voterOf(headers, ip) });
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
