import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DeskWorld, deskWorld } from '../payments/desk/desk-world.fixture.ts';
import type { DeskBrowser } from '../testing/console.ts';

let world: DeskWorld;
let care: DeskBrowser;
let finance: DeskBrowser;
let finance2: DeskBrowser;
let numbers = 390_000_500;
beforeAll(async () => {
  world = await deskWorld();
});
beforeEach(async () => {
  [care, finance, finance2] = [await world.as('care'), await world.as('finance'), await world.as('finance2')];
});
afterEach(() => {
  world.advance(-ahead);
  ahead = 0;
});
afterAll(() => world.stop());

/** Moves the clock by days; people sign in again afterwards. */
let ahead = 0;
function pass(seconds: number): void {
  ahead += seconds;
  world.advance(seconds);
}
async function comeBack(): Promise<void> {
  [care, finance] = [await world.as('care'), await world.as('finance')];
  await sql`update console_sessions set proved_at = ${new Date(Date.now() + ahead * 1000)}`.execute(world.db);
}

const waiting = () => world.inReview(String(++numbers));
const stateOf = async (id: string) => (await world.running.portal.payments.find(id))?.payment.state;

/** Proposes, and returns the proposal as an approver sees it. */
async function proposed(id: string, by = care) {
  const { status, result } = await by.call('proposeRefund', { id, reason: 'too much was taken' });
  expect(status).toBe(200);
  return (await finance.call('approval', { id: result.proposal })).result;
}

const approve = (by: DeskBrowser, { id, digest }: { id: string; digest: string }) => by.call('approve', { id, digest });

describe('a proposal whose subject changed', () => {
  test('says that it cannot be carried out any more and why; it is not approved, only refused or withdrawn', async () => {
    const [operator, other] = [await world.as('operator'), await world.as('operator2')];
    const { version } = (await operator.call('ways')).result.maintenance;
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const asked = { subject: 'maintenance', texts: {}, version, reason: 'a new house' } as const;
    const times = { startsAt: inHours(1), endsAt: inHours(2) };
    const { result } = await operator.call('announce', { ...asked, ...times, isOn: true });
    const id = result.proposal ?? '';
    const shown = async (by: DeskBrowser) => (await by.call('approval', { id })).result;
    expect(await shown(other)).toMatchObject({ overtaken: null, actions: { approve: true, refuse: true } });
    const none = { startsAt: null, endsAt: null, isOn: false };
    expect((await operator.call('announce', { ...asked, ...none })).status).toBe(200);
    const proposal = await shown(other);
    expect(proposal).toMatchObject({
      overtaken: { code: 'changedMeanwhile' },
      actions: { approve: false, refuse: true, withdraw: false },
    });
    expect((await approve(other, proposal)).error?.code).toBe('changedMeanwhile');
    // It waits for nobody, so it is listed as one that ran out, with the reason, as on its own page.
    const inList = async (list: 'open' | 'undecided' | 'decided' | 'expired') =>
      (await other.call('approvals', { list })).result.proposals.find((one) => one.id === id);
    expect([await inList('open'), await inList('decided')]).toEqual([undefined, undefined]);
    expect((await inList('expired'))?.overtaken).toEqual(proposal.overtaken);
    expect((await inList('undecided'))?.overtaken).toEqual(proposal.overtaken);
    expect((await shown(operator)).actions).toEqual({ approve: false, refuse: false, withdraw: true });
    expect((await operator.call('withdrawProposal', { id })).status).toBe(200);
    expect(await shown(operator)).toMatchObject({ state: 'withdrawn', overtaken: null });
    expect(await inList('decided')).toMatchObject({ overtaken: null });
    expect([await inList('expired'), await inList('undecided')]).toEqual([undefined, undefined]);
  });
});

describe('lists of one’s own', () => {
  const idsIn = async (by: DeskBrowser, list: 'mine' | 'refusedMine') =>
    (await by.call('approvals', { list })).result.proposals.map(({ id }) => id);

  test('what waits for me is what somebody else proposed and I may decide', async () => {
    const byCare = await proposed(await waiting());
    const byFinance = await proposed(await waiting(), finance);
    expect(await idsIn(care, 'mine')).toEqual([]);
    expect(await idsIn(finance, 'mine')).toEqual(expect.arrayContaining([byCare.id]));
    expect(await idsIn(finance, 'mine')).not.toContain(byFinance.id);
    expect(await idsIn(finance2, 'mine')).toEqual(expect.arrayContaining([byCare.id, byFinance.id]));
    expect(await idsIn(await world.as('operator'), 'mine')).toEqual([]);
    const isMine = async (by: DeskBrowser) => (await by.call('approval', byCare)).result.isMine;
    expect([await isMine(care), await isMine(finance)]).toEqual([false, true]);
    expect((await approve(finance, byCare)).status).toBe(200);
    expect(await idsIn(finance2, 'mine')).not.toContain(byCare.id);
  });

  test('who proposed is told for seven days that it was refused, and why', async () => {
    const { id } = await proposed(await waiting());
    expect(await idsIn(care, 'refusedMine')).not.toContain(id);
    expect((await finance.call('refuseProposal', { id, reason: 'the sum is wrong' })).status).toBe(200);
    const [told] = (await care.call('approvals', { list: 'refusedMine' })).result.proposals;
    expect(told).toMatchObject({ id, note: 'the sum is wrong', decidedBy: 'finance@console.example' });
    expect(await idsIn(finance, 'refusedMine')).not.toContain(id);
    pass(7 * 86_400 + 1);
    await comeBack();
    expect(await idsIn(care, 'refusedMine')).not.toContain(id);
  });
});

describe('a refund', () => {
  test('CNS-7 is proposed by one, shown with what is known, approved by another, and carried out once', async () => {
    const id = await waiting();
    expect((await finance.call('payment', { id })).result.actions.decisions).not.toContain('giveBack');
    const alone = await finance.call('settle', { id, as: 'giveBack', reason: 'alone' });
    expect([alone.status, alone.error?.code]).toEqual([409, 'needsTwo']);

    const proposal = await proposed(id);
    expect(proposal).toMatchObject({
      ...{ kind: 'refund', state: 'open', subject: { kind: 'payment', id }, reason: 'too much was taken' },
      ...{
        proposedBy: 'care@console.example',
        decidedBy: null,
        actions: { approve: true, refuse: true, withdraw: false },
      },
    });
    const taken = (await finance.call('payment', { id })).result.provider.amount;
    expect(proposal.amount).toBe(taken);
    expect(proposal.evidence).toContainEqual({
      ...{ what: 'line', detail: expect.stringMatching(/•••/), amount: null, currency: null },
    });
    expect(proposal.evidence).toContainEqual({ what: 'taken', detail: null, amount: taken, currency: 'MGA' });
    expect(Date.parse(proposal.expiresAt) - Date.parse(proposal.proposedAt)).toBe(7 * 86_400_000);
    expect((await care.call('payment', { id })).result.actions.propose).toEqual([]);
    expect((await care.call('proposeRefund', { id, reason: 'again' })).error?.code).toBe('alreadyProposed');
    const waits = [{ kind: 'refund', id: proposal.id }];
    expect((await care.call('payment', { id })).result.actions.proposed).toEqual(waits);
    await finance.call('claim', { id, isTaken: true });

    expect((await approve(care, proposal)).error?.code).toBe('notPermitted');
    expect(await stateOf(id)).toBe('REVIEW');
    expect((await approve(finance, proposal)).status).toBe(200);
    expect((await approve(finance2, proposal)).error?.code).toBe('proposalDecided');
    await world.until(id, 'REFUNDED');
    expect(await world.actsOn(id)).toEqual([
      'refund.proposed care: too much was taken',
      'payment.claimed finance',
      'refund.approved finance',
      'payment.settled finance',
    ]);
    // The approver gave no reason: the proposer's is shown.
    const story = (await care.call('payment', { id })).result;
    const decided = story.events.filter(({ by }) => by === 'finance@console.example');
    expect(decided.map(({ kind, detail }) => [kind, detail])).toContainEqual(['state', null]);
    expect(decided.every(({ detail }) => detail === null)).toBe(true);
    expect(decided.find(({ kind }) => kind === 'state')?.proposed).toEqual({
      ...{ by: 'care@console.example', reason: 'too much was taken' },
    });
    const approvedRows = await world.db
      .selectFrom('audit')
      .select('after')
      .where('subject_id', '=', id)
      .where('act', 'in', ['refund.approved', 'payment.settled'])
      .execute();
    expect(approvedRows).toHaveLength(2);
    for (const { after } of approvedRows)
      expect(after).toMatchObject({ proposal: proposal.id, proposer: 'care@console.example' });
    // The decision ends the claim and the proposal.
    expect([story.claim, story.actions.proposed]).toEqual([null, []]);
    const { result } = await care.call('approvals', { list: 'decided' });
    expect(result.proposals[0]).toMatchObject({
      id: proposal.id,
      state: 'approved',
      decidedBy: 'finance@console.example',
    });
  });

  test('CNS-7 nobody approves their own, in another session either, and the database itself refuses it', async () => {
    const id = await waiting();
    const proposal = await proposed(id, finance);
    const elsewhere = await world.as('finance');
    expect(proposal.actions).toEqual({ approve: false, refuse: false, withdraw: true });
    for (const same of [finance, elsewhere]) {
      expect((await approve(same, proposal)).error?.code).toBe('ownProposal');
      expect((await same.call('refuseProposal', { id: proposal.id, reason: 'mine' })).error?.code).toBe('ownProposal');
    }
    const { db } = world;
    const byHand = sql`
      update approvals set state = 'approved', approved_by = proposed_by, decided_at = proposed_at where id = ${proposal.id}`;
    await expect(byHand.execute(db)).rejects.toThrow(/approved_by|proposed/);
    const byNobody = sql`update approvals set state = 'approved', decided_at = proposed_at where id = ${proposal.id}`;
    await expect(byNobody.execute(db)).rejects.toThrow('check');

    // A second account of the same person counts as the same person.
    await sql`
      insert into console_people (id, subject, email, name, roles, added_at, seen_at)
      values ('twin', 'another subject', 'Finance@Console.example', 'Rivo', '{finance}', now(), now())`.execute(db);
    const byTwin = sql`
      update approvals set state = 'approved', approved_by = 'twin', decided_at = proposed_at where id = ${proposal.id}`;
    await expect(byTwin.execute(db)).rejects.toThrow('nobody approves what they proposed');
    expect(await stateOf(id)).toBe('REVIEW');
    expect((await approve(finance2, proposal)).status).toBe(200);
  });

  test('CNS-7 seven days later it has expired for whoever approves, refuses or withdraws, and may be proposed again', async () => {
    const id = await waiting();
    const proposal = await proposed(id);
    pass(7 * 86_400 - 60);
    expect((await (await world.as('finance')).call('approval', { id: proposal.id })).result.state).toBe('open');
    pass(61);
    await comeBack();
    expect((await approve(finance, proposal)).error?.code).toBe('proposalExpired');
    expect((await finance.call('refuseProposal', { id: proposal.id, reason: 'late' })).error?.code).toBe(
      'proposalExpired',
    );
    expect((await care.call('withdrawProposal', { id: proposal.id })).error?.code).toBe('proposalExpired');
    const late = sql`
      update approvals set state = 'approved', decided_at = expires_at, approved_by = (
        select id from console_people where email = 'finance2@console.example') where id = ${proposal.id}`;
    await expect(late.execute(world.db)).rejects.toThrow('check');
    const listed = async (list: 'open' | 'expired') =>
      (await finance.call('approvals', { list })).result.proposals.map((one) => one.id);
    expect([(await listed('open')).includes(proposal.id), (await listed('expired')).includes(proposal.id)]).toEqual([
      false,
      true,
    ]);
    const again = await proposed(id);
    expect(again.id).not.toBe(proposal.id);
    expect((await listed('expired')).includes(proposal.id)).toBe(true);
    expect((await approve(finance, again)).status).toBe(200);
  });

  test('CNS-7 of two who approve at once one does, the other is told, and the money goes back once', async () => {
    const ids = [await waiting(), await waiting(), await waiting()];
    for (const id of ids) {
      const proposal = await proposed(id);
      const both = await Promise.all([approve(finance, proposal), approve(finance2, proposal)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      const told = both.find(({ status }) => status === 409)?.error?.code;
      // The first to lock the payment settles it; the other finds the payment settled or the proposal decided.
      expect(['proposalDecided', 'notWaiting', 'changedMeanwhile']).toContain(told);
      // Both see who decided and the outcome.
      const [winner, loser] = both[0].status === 200 ? ['finance', finance2] : ['finance2', finance];
      expect((await (loser as DeskBrowser).call('approval', { id: proposal.id })).result).toMatchObject({
        ...{ state: 'approved', decidedBy: `${winner}@console.example`, overtaken: null },
        actions: { approve: false, refuse: false, withdraw: false },
      });
      await world.until(id, 'REFUNDED');
      const refunds = await world.db
        .selectFrom('payment_history')
        .select('event')
        .where('payment_id', '=', id)
        .where('event', '=', 'giveBack')
        .execute();
      expect(refunds).toHaveLength(1);
      expect((await world.actsOn(id)).filter((act) => act.startsWith('refund.approved'))).toHaveLength(1);
    }
  });

  test('CNS-7 while a refund is proposed nobody settles it otherwise, nor by hearsay afterwards', async () => {
    const id = await waiting();
    const proposal = await proposed(id);
    const settle = (as: string) => finance2.call('settle', { id, as, reason: 'seen at the shop' } as never);
    for (const as of ['delivered', 'givenBack']) expect((await settle(as)).error?.code).toBe('refundProposed');
    expect((await finance.call('refuseProposal', { id: proposal.id, reason: 'not yet' })).status).toBe(200);
    expect((await settle('delivered')).error?.code).toBe('notDelivered');
    expect((await settle('givenBack')).error?.code).toBe('stillThere');
    expect(await stateOf(id)).toBe('REVIEW');
  });
});

describe('a goodwill credit', () => {
  test('CNS-7 is proposed after the delivery, approved by another, credited once; the customer reads it on the page and by SMS', async () => {
    const line = String(++numbers);
    const id = await world.pay(String(++numbers), { mobileNumber: `0${line}` });
    await world.until(id, 'SUCCEEDED');
    const { actions } = (await care.call('payment', { id })).result;
    expect([actions.propose, actions.goodwillMost]).toEqual([['goodwill'], { amount: 5_000, currency: 'MGA' }]);
    expect((await care.call('proposeRefund', { id, reason: 'delivered' })).error?.code).toBe('notWaiting');
    const more = await care.call('proposeGoodwill', { id, amount: 5_001, reason: 'too much' });
    const most = { amount: 5_000, currency: 'MGA', digits: 0 };
    expect([more.status, more.error]).toEqual([422, { code: 'amountTooHigh', field: 'amount', parameters: { most } }]);

    const { result } = await care.call('proposeGoodwill', { id, amount: 1_200, reason: 'it took an hour' });
    const proposal = (await finance.call('approval', { id: result.proposal })).result;
    expect(proposal).toMatchObject({ kind: 'goodwill', amount: 1_200, currency: 'MGA', state: 'open' });
    const both = await Promise.all([approve(finance, proposal), approve(finance2, proposal)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await world.credit(id, 'given');

    const story = (await care.call('payment', { id })).result;
    expect([story.state, story.goodwill]).toEqual(['SUCCEEDED', { amount: 1_200, currency: 'MGA', state: 'given' }]);
    expect(story.events.filter(({ kind, what }) => kind === 'posting' && what === 'goodwill')).toMatchObject([
      { amount: 1_200 },
    ]);
    const acts = story.events.filter(({ kind, what }) => kind === 'audit' && what.startsWith('goodwill.'));
    expect(acts.map(({ what, amount }) => `${what} ${amount}`)).toEqual([
      'goodwill.proposed 1200',
      'goodwill.approved 1200',
    ]);
    const credit = story.events.filter(({ kind }) => kind === 'goodwill');
    expect(credit.map(({ what, amount }) => `${what} ${amount}`)).toEqual(['due 1200', 'sending 1200', 'given 1200']);
    expect(story.actions.propose).toEqual([]);
    expect((await finance.call('approval', { id: proposal.id })).result.outcome).toBe('goodwill.given');
    const shown = await world.call('transactionFetch', { txnId: id });
    expect(shown.result.goodwill).toEqual({ amount: 1_200, currencyCode: 'MGA', isGiven: true });
    const told = async () => (await world.phone.messages(line)).map(({ text }) => text).join('\n');
    await expect.poll(told).toMatch(/1,200 of credit was added to .+ as a goodwill gesture/);
    const topUps = (await world.phone.messages(line)).filter(({ text }) => text.includes('goodwill'));
    expect(topUps).toHaveLength(1);
    const again = await care.call('proposeGoodwill', { id, amount: 1, reason: 'once more' });
    expect(again.error?.code).toBe('goodwillGiven');
  });
});

describe('a goodwill credit that is stuck', () => {
  test('is settled as not given by two, only while the charging system says that it is not there', async () => {
    const id = await world.pay(String(++numbers), { mobileNumber: `0${++numbers}` });
    await world.until(id, 'SUCCEEDED');
    await world.phone.fault({ provider: 'charging', fault: 'error500', times: 200 });
    const { result } = await care.call('proposeGoodwill', { id, amount: 1_200, reason: 'it took an hour' });
    expect((await approve(finance, (await finance.call('approval', { id: result.proposal })).result)).status).toBe(200);
    await world.credit(id, 'unknown');
    const doubted = (await care.call('payment', { id })).result;
    expect(doubted.goodwill).toEqual({ amount: 1_200, currency: 'MGA', state: 'unknown' });
    expect(doubted.events.filter(({ kind }) => kind === 'goodwill').map(({ what }) => what)).toEqual([
      ...['due', 'sending', 'unknown'],
    ]);
    await sql`update goodwill set state = 'stuck', due_at = null, version = version + 1 where payment_id = ${id}`.execute(
      world.db,
    );
    const unclear = await finance.call('proposeGoodwillEnd', { id, reason: 'nobody knows' });
    expect(unclear.error?.code).toBe('goodwillUnclear');
    await fetch(`${world.sandbox}/sandbox/api/faults`, { method: 'DELETE' });
    // Too early: the provider may still show it later.
    expect((await finance.call('askGoodwill', { id })).result).toEqual({ answer: 'unclear' });
    await sql`update goodwill set sent_at = sent_at - interval '4 days', created_at = created_at - interval '4 days'
      where payment_id = ${id}`.execute(world.db);
    expect((await care.call('askGoodwill', { id })).error?.code).toBe('notPermitted');
    expect((await finance.call('askGoodwill', { id })).result).toEqual({ answer: 'notFound' });
    const { actions } = (await finance.call('payment', { id })).result;
    expect(actions.stuckGoodwill).toEqual({ isProposed: false });
    const ending = (await finance.call('proposeGoodwillEnd', { id, reason: 'seen in the charging system' })).result;
    const proposal = (await finance2.call('approval', { id: ending.proposal })).result;
    expect((await approve(finance, proposal)).error?.code).toBe('ownProposal');
    expect((await approve(finance2, proposal)).status).toBe(200);
    expect((await finance.call('payment', { id })).result.goodwill).toBeNull();
    expect((await care.call('payment', { id })).result.actions.propose).toEqual(['goodwill']);
  });
});

describe('a proposal', () => {
  test('a second after its end by the database’s clock nobody approves it, not while it is proposed anew either; its end is nobody’s to move', async () => {
    const id = await waiting();
    const proposal = await proposed(id);
    const prolonged = sql`update approvals set expires_at = expires_at + interval '1 day' where id = ${proposal.id}`;
    await expect(prolonged.execute(world.db)).rejects.toThrow();
    pass(7 * 86_400 + 1);
    await comeBack();
    const [one, two, again] = await Promise.all([approve(finance, proposal), approve(finance, proposal), proposed(id)]);
    expect([one.error?.code, two.error?.code]).toEqual(['proposalExpired', 'proposalExpired']);
    expect([again.id === proposal.id, await stateOf(id)]).toEqual([false, 'REVIEW']);
  });

  test('is approved as it was shown: one that was changed is refused, and the database lets nobody change it', async () => {
    const id = await waiting();
    const proposal = await proposed(id);
    for (const digest of ['0'.repeat(64), proposal.digest.replace(/^./, (one) => (one === 'a' ? 'b' : 'a'))])
      expect((await approve(finance, { ...proposal, digest })).error?.code).toBe('proposalChanged');
    const raise = sql`update approvals set payload = payload || '{"amount": 1}' where id = ${proposal.id}`;
    await expect(raise.execute(world.db)).rejects.toThrow('frozen');
    await expect(sql`delete from approvals where id = ${proposal.id}`.execute(world.db)).rejects.toThrow('append-only');
    // Even with full access to the database nobody gets it carried out.
    await world.db.transaction().execute(async (transaction) => {
      await sql`alter table approvals disable trigger user`.execute(transaction);
      await raise.execute(transaction);
      await sql`alter table approvals enable trigger user`.execute(transaction);
    });
    expect((await approve(finance, proposal)).error?.code).toBe('proposalChanged');
    expect(await stateOf(id)).toBe('REVIEW');
  });

  test('is refused by somebody else with a reason, or withdrawn by who made it; then it is over', async () => {
    const id = await waiting();
    const first = await proposed(id);
    const refused = { id: first.id, reason: 'the customer 0390000599 was paid at the shop' };
    expect((await finance.call('refuseProposal', refused)).status).toBe(200);
    expect((await approve(finance2, first)).error?.code).toBe('proposalDecided');
    const shown = (await finance.call('approval', { id: first.id })).result;
    expect([shown.state, shown.decidedBy, shown.note]).toEqual([
      ...['refused', 'finance@console.example', 'the customer # was paid at the shop'],
    ]);

    const second = await proposed(id);
    expect((await finance.call('withdrawProposal', { id: second.id })).error?.code).toBe('notPossible');
    expect((await care.call('withdrawProposal', { id: second.id })).status).toBe(200);
    expect((await approve(finance, second)).error?.code).toBe('proposalDecided');
    const reopen = sql`update approvals set state = 'open' where id = ${second.id}`;
    await expect(reopen.execute(world.db)).rejects.toThrow('decided once');
    expect(await stateOf(id)).toBe('REVIEW');
    const acts = (await world.actsOn(id)).map((act) => act.split(' ')[0]);
    expect(acts).toEqual(['refund.proposed', 'refund.refused', 'refund.proposed', 'refund.withdrawn']);
  });

  test('wants a fresh proof of who approves, and is nothing to whom its kind does not concern', async () => {
    const proposal = await proposed(await waiting());
    const admin = await world.as('admin');
    expect((await admin.call('approval', { id: proposal.id })).status).toBe(404);
    expect((await approve(admin, proposal)).status).toBe(404);
    expect((await admin.call('approvals', { list: 'open' })).result.proposals).toEqual([]);
    pass(6 * 60);
    expect((await approve(finance, proposal)).error?.code).toBe('proveAgain');
    expect((await approve(await world.as('finance2'), proposal)).error?.code).toBe('proveAgain');
  });

  test('is listed page by page, newest first, none twice and none left out, whatever is left out between them', async () => {
    const { db } = world;
    const alive = await proposed(await waiting());
    await sql`
      insert into approvals (id, kind, subject_kind, subject_id, payload, reason, needs_two, proposed_by, proposed_at,
        expires_at)
      select 'many-' || number, 'refund', 'payment', 'many-' || number, '{"name":"x","amount":1,"currency":"MGA"}', 'many',
        true, (select id from console_people where email = 'care@console.example'), at, at + interval '168 hours'
      from generate_series(1, 120) number,
        lateral (select date_trunc('milliseconds', now()) + make_interval(secs => number / 2) as at) times`.execute(db);
    const listed = async (list: 'open' | 'undecided' | 'expired') => {
      const ids: string[] = [];
      let before: string | null = '';
      while (before !== null) {
        const page: Awaited<ReturnType<typeof care.call<'approvals'>>> = await care.call('approvals', {
          list,
          ...(before ? { before } : {}),
        });
        ids.push(...page.result.proposals.map(({ id }) => id));
        before = page.result.next;
      }
      return ids;
    };
    // Their payments do not exist, so none of them can be carried out.
    for (const list of ['undecided', 'expired'] as const) {
      const many = (await listed(list)).filter((id) => id.startsWith('many-'));
      expect([many.length, new Set(many).size, many[0]?.replace(/\d+$/, '')]).toEqual([120, 120, 'many-']);
    }
    const open = (await care.call('approvals', { list: 'open' })).result.proposals.map(({ id }) => id);
    expect(open).toContain(alive.id);
    expect(open.filter((id) => id.startsWith('many-'))).toEqual([]);
    expect((await care.call('approvals', { list: 'open', before: 'nonsense' })).status).toBe(422);
  });
});

describe('up to the configured amount', () => {
  test('one person suffices, who has just shown who they are; it stands in the audit as done alone', async () => {
    const small = await deskWorld({ fourEyesOver: 1_000_000 });
    const alone = await small.as('care');
    const id = await small.inReview('390000491');
    small.advance(6 * 60);
    expect((await alone.call('proposeRefund', { id, reason: 'small' })).error?.code).toBe('proveAgain');
    small.advance(-6 * 60);
    expect((await alone.call('proposeRefund', { id, reason: 'small' })).status).toBe(200);
    await small.until(id, 'REFUNDED');
    expect((await small.actsOn(id)).map((act) => act.split(' ')[0])).toEqual(['refund.doneAlone', 'payment.settled']);
    await small.stop();
  });
});
