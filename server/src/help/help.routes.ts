import { type Budgets, type Draw, networkDraws } from '../budgets/budgets.service.ts';
import { refuseOtherOperators } from '../http/own-operator.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import type { Help } from './help.service.ts';

type Headers = Record<string, unknown>;

export function helpHandlers(
  help: Help,
  { opco, visits, budgets }: { opco: string; visits: Visits; budgets: Budgets },
): Handlers {
  const ours = refuseOtherOperators(opco);

  async function vote(questionId: string, liked: boolean, from: { headers: Headers; ip: string; language: string }) {
    const onAnswer: Draw = { budget: 'voteAnswer', subject: `${questionId} from ${visits.gotBy(from)}` };
    if (await budgets.take([onAnswer, ...networkDraws('voteNetwork', from.ip), { budget: 'voteAll', subject: '' }]))
      throw new PortalError('tooManyThisHour');
    // A client without cookies is identified by its network only, because it can make up everything else.
    return help.vote({ questionId, liked, voter: visits.of(from), language: from.language });
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
    async recordSearch({ body, headers, ip, language }) {
      // Clients without cookies cannot be told apart within a network, so their searches are not counted.
      const visit = visits.ofBrowser(headers);
      const spend = async (words: string) => {
        const onWords: Draw = { budget: 'searchWords', subject: `${words} from ${visits.gotBy({ headers, ip })}` };
        const others = [...networkDraws('searchNetwork', ip), { budget: 'searchAll', subject: '' } as const];
        return (await budgets.take([onWords, ...others])) === null;
      };
      if (visit) await help.searchedInVain({ text: body.text, language, visit, spend });
      return null;
    },
    async voteByLink({ query, ...from }) {
      ours(query.opco);
      if (!cameFromOurPage(from.headers)) return help.score(query.questionId);
      return vote(query.questionId, query.isLike, from);
    },
  };
}

/** A GET link can be embedded anywhere, so a vote counts only from our own page. */
function cameFromOurPage(headers: Headers): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  try {
    return new URL(String(headers.referer)).host === headers.host;
  } catch {
    return false;
  }
}
