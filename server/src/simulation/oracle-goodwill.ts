import type { Delivery } from './books.ts';
import { Broken } from './broken.ts';
import type { Observation, SeenCredit } from './observation.ts';
import { type Case, isSame, second, textOf } from './oracle-case.ts';

/** CNS-7: two people decide, and exactly what they approved is carried out. */
export function checkProposals(cases: Map<string, Case>, seen: Observation): void {
  for (const { id, kind, payment, state, proposedBy, approvedBy } of seen.proposals) {
    if (state !== 'approved') continue;
    const is = `${kind} ${id} of ${payment}`;
    if (approvedBy === null) throw new Broken('two people', `${is} was approved by nobody`);
    if (approvedBy === proposedBy) throw new Broken('two people', `${is} by ${proposedBy} alone`);
    const history = cases.get(payment)?.history ?? [];
    if (kind === 'refund' && !history.some(({ from, to, by }) => from === 'REVIEW' && to === 'REFUND_DUE' && by))
      throw new Broken('what was approved is done', is);
    const isGranted = seen.credits.some(({ proposal }) => proposal === id);
    if (kind === 'goodwill' && !isGranted) throw new Broken('what was approved is done', is);
  }
}

/** CNS-7: nothing is credited twice or without approval, and only after a delivery. */
export function checkCredits(cases: Map<string, Case>, seen: Observation): void {
  const payments = new Set([...seen.credits, ...seen.goodwill].map(({ payment }) => payment));
  for (const payment of payments) {
    const one = cases.get(payment);
    const credits = seen.credits.filter((credit) => credit.payment === payment);
    const given = seen.goodwill.filter((each) => each.payment === payment && each.at <= seen.now + second);
    if (given.length > 1) throw new Broken('credited once', `${payment} ${given.length} times`);
    if (given.length && one?.refunds.length) throw new Broken('never both credited and refunded', payment);
    if (given.length && one?.deliveries.length !== 1) throw new Broken('a credit is on top of a delivery', payment);
    for (const credit of credits) checkCredit(credit, given[0], one, seen);
  }
}

function checkCredit(credit: SeenCredit, given: Delivery | undefined, one: Case | undefined, seen: Observation): void {
  const is = `${credit.id} of ${credit.payment} is ${credit.state}`;
  const proposal = seen.proposals.find(({ id }) => id === credit.proposal);
  if (proposal?.state !== 'approved' || proposal.amount !== credit.amount)
    throw new Broken('credited as approved', `${is}, proposed was ${proposal?.amount}, which is ${proposal?.state}`);
  if (one?.payment?.state !== 'SUCCEEDED') throw new Broken('a credit is on top of a delivery', is);
  if (credit.state === 'given' && !isSame(given, credit))
    throw new Broken('credited only on proof', `${is}, ${textOf(credit)}, given was ${textOf(given)}`);
  if (credit.state === 'refused' && given?.reference === credit.id) throw new Broken('refused is not credited', is);
  const booked = one.postings.filter(({ kind }) => kind === 'goodwill');
  if (booked.length !== (credit.state === 'given' ? 1 : 0) && credit.state !== 'refused')
    throw new Broken('a credit is booked', `${is}, ${booked.length} postings`);
  const [posting] = booked;
  if (posting && (!isSame(posting, given) || posting.debit !== 'costs:goodwill'))
    throw new Broken('booked as it was credited', `${is}, booked ${textOf(posting)} from ${posting.debit}`);
}
