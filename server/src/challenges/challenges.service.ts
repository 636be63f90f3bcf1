import { randomBytes, randomInt } from 'node:crypto';
import type { Challenge } from '@portal/contract/challenge.ts';
import { challengeHeader } from '@portal/contract/challenge-header.ts';
import type { BudgetName } from '@portal/domain/budgets.ts';
import { isStillWorth, priceBits, questionPrice, reservedShare, shortestWait } from '@portal/domain/challenge/price.ts';
import { isWorkDone } from '@portal/domain/challenge/work.ts';
import type { Kysely } from 'kysely';
import { type Budgets, countedGuess, type Draw, networkDraws, type Used } from '../budgets/budgets.service.ts';
import { openRow } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import { isOfBrowser, type Visits } from '../http/visits.ts';
import type { ChallengeEvents } from './challenges.events.ts';

type Executor = Kysely<Schema>;

/** Who asks: in which visit, from which address, and what was solved for it. */
export interface Asker {
  visit: string | null;
  address: string;
  solved: string | undefined;
}

export const askerOf =
  (visits: Visits) =>
  ({ headers, ip }: { headers: Record<string, unknown>; ip: string }): Asker => {
    const shown = headers[challengeHeader];
    return { visit: visits.of({ headers, ip }), address: ip, solved: typeof shown === 'string' ? shown : undefined };
  };

/** What is wanted, of what is scarce: a challenge serves this effect on this subject, and no other. */
export interface Wanted {
  effect: 'sms' | 'mail' | 'bills' | 'account';
  subject: string;
  asker: Asker;
  /** Whose last fifth is for who solved a challenge. */
  scarce: Draw;
  /** Those of the draws that are refused for want of a challenge, and not for good. */
  reserved: readonly BudgetName[];
  /** There is a budget that is kept for networks where people are. */
  isKept?: boolean;
}

/** How an effect is let through. */
export interface Admission {
  /** Freely, from the reserve, or from what is kept for networks where codes were verified before. */
  room: 'open' | 'reserve' | 'kept';
  /** Of what is kept; to be drawn on besides. */
  keptDraws: readonly Draw[];
  /** The networks that a challenge was asked of, as they may be stored. */
  askedFrom: string | null;
  /** For whom it was kept, as it may be stored; null where it was not. */
  keptFor: string | null;
}

export interface Challenges {
  /**
   * Draws on budgets, and does what they are drawn on for, in one transaction: what is rolled back was neither spent nor done.
   * Where only the reserve is left it takes a proof of this visit, or a solved challenge, which this throws. Gives the
   * budget that is spent, null when all had room.
   */
  admit(
    wanted: Wanted,
    draw: (transaction: Executor, admission: Admission) => Promise<BudgetName | null>,
  ): Promise<BudgetName | null>;
  /** Whose number or address this browser proved a moment ago. */
  provedSubject(visit: string | null): Promise<string | null>;
  /** What is drawn on for it; a code that was verified gives it back. */
  keptDraws(keptFor: string | null): Draw[];
  /** Somebody verified a code there: it is a network where people are. */
  noteVerified(address: string): Promise<void>;
  forgetOld(): Promise<void>;
}

interface Sealed {
  salt: string;
  bits: number;
  left: number;
  right: number;
  /** From when an answer in words is taken, and until when work is, in milliseconds. */
  answerFrom: number;
  workUntil: number;
  /** In seconds, until neither is taken. */
  life: number;
}

type Shown =
  | { state: 'nothing' }
  /** Neither right nor recognised: another one is asked. */
  | { state: 'wrong' }
  | { state: 'early'; challenge: Challenge }
  | Solved;

interface Solved {
  state: 'solved';
  by: 'work' | 'answer';
  salt: string;
  bits: number;
  life: number;
}

/** Longer than the dearest work takes an old phone, short enough that solutions cannot be gathered for a better moment. */
const lifeSeconds = 180;

/** What a browser has that proved who it is, whatever strangers have used up. */
export const provedDraw = (subject: string): Draw => ({ budget: 'codeProved', subject });

interface Dependencies {
  db: Executor;
  budgets: Budgets;
  tokens: SealedTokens;
  now: () => Date;
  events: ChallengeEvents;
}

export function createChallenges({ db, budgets, tokens, now, events }: Dependencies): Challenges {
  const purposeOf = ({ effect, subject, asker }: Wanted) =>
    `challenge for ${effect} to ${subject} in visit ${asker.visit}`;
  const toAsk = (token: string, { salt, bits, left, right, answerFrom }: Sealed): Challenge => ({
    token,
    salt,
    bits,
    question: { left, right },
    waitSeconds: Math.max(Math.ceil((answerFrom - now().getTime()) / 1000), 0),
  });
  const needed = (challenge: Challenge) =>
    new PortalError('challengeNeeded', {
      challenge,
    });

  function read(wanted: Wanted): Shown {
    const [token = '', by, given = ''] = wanted.asker.solved?.split('.') ?? [];
    if (!token) return { state: 'nothing' };
    const sealed = tokens.open(purposeOf(wanted), token) as Sealed | null;
    if (!sealed) return { state: 'wrong' };
    const { salt, bits, life } = sealed;
    if (by === 'work') {
      const isInTime = now().getTime() < sealed.workUntil;
      return isInTime && isWorkDone(salt, bits, given) ? { state: 'solved', by, salt, bits, life } : { state: 'wrong' };
    }
    if (by !== 'answer' || Number(given) !== sealed.left + sealed.right) return { state: 'wrong' };
    if (sealed.answerFrom > now().getTime()) return { state: 'early', challenge: toAsk(token, sealed) };
    return { state: 'solved', by, salt, bits, life };
  }

  const leftOf = (used: Used | undefined) => (used ? (used.most - used.count) / used.most : 1);

  /** Counted when it is given: else one network could gather any number of them at the lowest price. */
  async function give(wanted: Wanted): Promise<PortalError> {
    const draws = networkDraws('challengeNetwork', wanted.asker.address);
    const [scarce, ...counts] = await budgets.used([wanted.scarce, ...draws, ...easyDraws(wanted)]);
    await budgets.note(draws);
    const asked = counts.slice(0, draws.length);
    const { waitSeconds, largest } = questionPrice(counts.slice(draws.length));
    const sealed: Sealed = {
      salt: randomBytes(16).toString('hex'),
      bits: priceBits({
        asked: asked.map(({ count, most }) => ({ count: count + 1, most })),
        left: (await keptBy(wanted)) ? 1 : leftOf(scarce),
      }),
      left: randomInt(2, largest[0] + 1),
      right: randomInt(2, largest[1] + 1),
      answerFrom: now().getTime() + waitSeconds * 1000,
      workUntil: now().getTime() + lifeSeconds * 1000,
      // Whoever has to wait longer has as long to answer afterwards.
      life: lifeSeconds + waitSeconds - shortestWait,
    };
    events.given(wanted.effect);
    return needed(toAsk(tokens.seal(purposeOf(wanted), sealed, sealed.life), sealed));
  }

  /** False for one that was spent before, or is worth too little by now. */
  async function spend(
    { scarce }: Wanted,
    { by, salt, bits, life }: Solved,
    room: Admission['room'],
    transaction: Executor,
  ): Promise<boolean> {
    const [used] = await budgets.used([scarce], transaction);
    if (room === 'reserve' && by === 'work' && !isStillWorth(bits, leftOf(used))) return false;
    const spent = await transaction
      .insertInto('solved_challenges')
      .values({ id: salt, expires_at: new Date(now().getTime() + life * 1000) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return spent !== undefined;
  }

  const widestOf = (address: string) => budgets.networks(address).split(' ').at(-1) ?? '';
  const verifiedDraw = (address: string): Draw => ({ budget: 'networkVerified', subject: widestOf(address) });
  const keptDraws = (keptFor: string | null): Draw[] => {
    if (keptFor === null) return [];
    const [network, verified] = keptFor.split(' ');
    const all: Draw = { budget: 'codeKept', subject: '' };
    return network ? [{ budget: 'networkOpen', subject: network, factor: Number(verified) }, all] : [all];
  };

  /**
   * A network may have as many open codes of what is kept as were verified there in a day. Whoever asks for codes that nobody
   * types has none, however many addresses and processors they have.
   */
  async function keptBy({ asker, isKept }: Wanted): Promise<string | null> {
    if (!isKept) return null;
    const [verified] = await budgets.used([verifiedDraw(asker.address)]);
    if (!verified?.count) return null;
    const keptFor = `${widestOf(asker.address)} ${verified.count}`;
    const used = await budgets.used(keptDraws(keptFor));
    return used.every(({ count, most }) => count < most) ? keptFor : null;
  }

  const admissionTo = (room: Admission['room'], askedFrom: string | null, keptFor: string | null): Admission => ({
    room,
    askedFrom,
    keptFor,
    keptDraws: keptDraws(keptFor),
  });
  const isOfKept = (spent: string | null) => spent === 'networkOpen' || spent === 'codeKept';

  /** Counted, and never spent. */
  const easyDraws = ({ asker }: Wanted): Draw[] => networkDraws('questionEasy', asker.address);

  const questionDraws = (wanted: Wanted): Draw[] => [
    ...networkDraws('questionNetwork', wanted.asker.address),
    ...easyDraws(wanted).map((draw) => ({ ...draw, factor: Number.POSITIVE_INFINITY })),
    { budget: 'questionAll', subject: '' },
  ];

  /** All in one transaction, which is undone unless `run` gives null. */
  async function undoneUnlessNull<T>(run: (transaction: Executor) => Promise<T | null>): Promise<T | null> {
    const transaction = await db.startTransaction().execute();
    try {
      const outcome = await run(transaction);
      await (outcome === null ? transaction.commit() : transaction.rollback()).execute();
      return outcome;
    } catch (error) {
      if (!transaction.isCommitted && !transaction.isRolledBack) await transaction.rollback().execute();
      throw error;
    }
  }

  /**
   * Whom a browser proved to be. It is asked for nothing more for a few times, counted by who it is: a proof by what stands on
   * a bill can be made again and again, in any number of visits.
   */
  async function provedSubject(visit: string | null): Promise<string | null> {
    if (!isOfBrowser(visit)) return null;
    const proof = await db
      .selectFrom('proofs')
      .select(['digest', 'subject'])
      .where('visit', '=', visit)
      .where('expires_at', '>', now())
      .orderBy('expires_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return proof ? openRow(db, 'proofs', proof).subject : null;
  }

  /** From what is kept for its network, else from the reserve at its price. */
  async function drawSolved(
    wanted: Wanted,
    shown: Solved,
    draw: (transaction: Executor, admission: Admission) => Promise<BudgetName | null>,
  ): Promise<BudgetName | 'unspendable' | null> {
    const askedFrom = budgets.networks(wanted.asker.address);
    const attempt = (admission: Admission) =>
      undoneUnlessNull<BudgetName | 'unspendable'>(async (transaction) => {
        if (!(await spend(wanted, shown, admission.room, transaction))) return 'unspendable';
        const asked = shown.by === 'answer' ? await budgets.take(questionDraws(wanted), transaction) : null;
        return asked ?? draw(transaction, admission);
      });
    const keptFor = await keptBy(wanted);
    const kept = keptFor === null ? 'codeKept' : await attempt(admissionTo('kept', askedFrom, keptFor));
    return isOfKept(kept) ? attempt(admissionTo('reserve', askedFrom, null)) : kept;
  }

  return {
    async admit(wanted, draw) {
      const { asker, effect, reserved, isKept } = wanted;
      const shown = read(wanted);
      if (shown.state === 'early') throw needed(shown.challenge);

      if (shown.state === 'solved') {
        const spent = await drawSolved(wanted, shown, draw);
        if (spent !== 'unspendable') {
          events.solved(effect, spent ? 'inVain' : shown.by);
          return spent;
        }
      }
      const spent = await undoneUnlessNull((transaction) => draw(transaction, admissionTo('open', null, null)));
      if (spent === null || !reserved.includes(spent)) return spent;
      const proved = await provedSubject(asker.visit);
      if (proved) {
        const admission = isKept ? admissionTo('kept', null, '') : admissionTo('reserve', null, null);
        const last = await undoneUnlessNull(
          async (transaction) =>
            (await budgets.take([provedDraw(proved)], transaction)) ?? draw(transaction, admission),
        );
        if (last !== 'codeProved') {
          events.solved(effect, last ? 'inVain' : 'proof');
          return last;
        }
      }
      if (shown.state !== 'nothing') events.solved(effect, 'wrong');
      throw await give(wanted);
    },

    provedSubject,
    keptDraws,
    noteVerified: (address) => budgets.note([verifiedDraw(address)]),

    async forgetOld() {
      await db.deleteFrom('solved_challenges').where('expires_at', '<', now()).execute();
    },
  };
}

export interface Guess {
  effect: Wanted['effect'];
  /** What is guessed at. */
  subject: string;
  asker: Asker;
  /** Of one network, and of all together. */
  budgets: { network: BudgetName; all: BudgetName };
  /** Drawn on besides; spent, they refuse. */
  also?: readonly Draw[];
}

/**
 * A guess at what only an owner knows. Wrong ones from one network are refused after some. Those of all networks together
 * refuse nobody, for then any stranger could shut the owner out; they take a challenge, which grows dearer with each.
 */
export async function boundedGuess<T>(
  { budgets, challenges, now }: { budgets: Budgets; challenges: Challenges; now: () => Date },
  { effect, subject, asker, budgets: { network, all: ofAll }, also = [] }: Guess,
  make: () => Promise<T>,
  isWrong: (answer: T) => boolean,
): Promise<{ answer: T; wasChallenged: boolean }> {
  const fromHere = networkDraws(network, asker.address).map((draw) => ({
    ...draw,
    subject: `${subject} from ${draw.subject}`,
  }));
  const all: Draw = { budget: ofAll, subject };
  let wasChallenged = false;
  const take = () =>
    challenges.admit({ effect, subject, asker, scarce: all, reserved: [ofAll] }, (transaction, { room, askedFrom }) => {
      wasChallenged = askedFrom !== null;
      const part = room === 'open' ? { reserved: reservedShare } : { factor: Number.POSITIVE_INFINITY };
      return budgets.take([...fromHere, ...also, { ...all, ...part }], transaction);
    });
  const answer = await countedGuess({ budgets, now, draws: [...fromHere, ...also, all], take }, make, isWrong);
  return { answer, wasChallenged };
}
