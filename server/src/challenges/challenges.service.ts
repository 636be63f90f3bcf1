import { randomBytes, randomInt } from 'node:crypto';
import type { Challenge } from '@portal/contract/challenge.ts';
import { challengeHeader } from '@portal/contract/challenge-header.ts';
import type { BudgetName } from '@portal/domain/budgets.ts';
import {
  difficultyBits,
  isStillWorth,
  questionPrice,
  reservedShare,
  shortestWait,
} from '@portal/domain/challenge/difficulty.ts';
import { isWorkDone } from '@portal/domain/challenge/proof-of-work.ts';
import type { Kysely } from 'kysely';
import { type Budgets, countedGuess, type Draw, networkDraws, type Used } from '../budgets/budgets.service.ts';
import { openRow } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import { isOfBrowser, type Visits } from '../http/visits.ts';
import type { ChallengeEvents } from './challenges.events.ts';

type Executor = Kysely<Schema>;

/** The client: its visit, its address, and the solution it sent. */
export interface Asker {
  visit: string | null;
  address: string;
  solved: string | undefined;
}

export const askerOf =
  (visits: Visits) =>
  ({ headers, ip }: { headers: Record<string, unknown>; ip: string }): Asker => {
    const given = headers[challengeHeader];
    return { visit: visits.of({ headers, ip }), address: ip, solved: typeof given === 'string' ? given : undefined };
  };

/** The effect that is requested. A challenge is valid for this effect on this subject only. */
export interface Wanted {
  effect: 'sms' | 'mail' | 'bills' | 'account';
  subject: string;
  asker: Asker;
  /** The budget whose last fifth is reserved for those who solved a challenge. */
  scarce: Draw;
  /** Budgets whose refusal can be lifted by a challenge. */
  reserved: readonly BudgetName[];
  /** There is also a budget kept for networks with real users. */
  isKept?: boolean;
}

/** How an effect was admitted. */
export interface Admission {
  /** From the open part, from the reserve, or from what is kept for networks where codes were verified before. */
  room: 'open' | 'reserve' | 'kept';
  /** Draws on the kept budget, to be made as well. */
  keptDraws: readonly Draw[];
  /** The networks that were given a challenge, in the form that may be stored. */
  askedFrom: string | null;
  /** The network it was kept for, in the form that may be stored; null if it was not. */
  keptFor: string | null;
}

export interface Challenges {
  /**
   * Draws on budgets and performs the effect in one transaction, so that a rollback undoes both. If only the reserve is
   * left, it needs a proof of this visit or a solved challenge, and otherwise throws a challenge. Returns the budget
   * that is used up, or null.
   */
  admit(
    wanted: Wanted,
    draw: (transaction: Executor, admission: Admission) => Promise<BudgetName | null>,
  ): Promise<BudgetName | null>;
  /** The number or email address that this browser proved a moment ago. */
  provedSubject(visit: string | null): Promise<string | null>;
  /** The draws made for it; a verified code gives them back. */
  keptDraws(keptFor: string | null): Draw[];
  /** Records that somebody at this address verified a code: the network has real users. */
  noteVerified(address: string): Promise<void>;
  deleteExpired(): Promise<void>;
}

interface ChallengeToken {
  salt: string;
  bits: number;
  left: number;
  right: number;
  /** In milliseconds: the earliest time for an answer to the question, and the latest for proof of work. */
  answerFrom: number;
  workUntil: number;
  /** Seconds until neither is accepted. */
  life: number;
}

type Submission =
  | { state: 'nothing' }
  /** Wrong or unreadable: a new challenge is issued. */
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

/** Longer than an old phone needs for the most expensive work, but too short to stockpile solutions. */
const lifeSeconds = 180;

/** A separate budget for a browser that proved its number, whatever strangers have used up. */
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
  const challengeOf = (token: string, { salt, bits, left, right, answerFrom }: ChallengeToken): Challenge => ({
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

  function read(wanted: Wanted): Submission {
    const [token = '', by, given = ''] = wanted.asker.solved?.split('.') ?? [];
    if (!token) return { state: 'nothing' };
    const sealed = tokens.open(purposeOf(wanted), token) as ChallengeToken | null;
    if (!sealed) return { state: 'wrong' };
    const { salt, bits, life } = sealed;
    if (by === 'work') {
      const isInTime = now().getTime() < sealed.workUntil;
      return isInTime && isWorkDone(salt, bits, given) ? { state: 'solved', by, salt, bits, life } : { state: 'wrong' };
    }
    if (by !== 'answer' || Number(given) !== sealed.left + sealed.right) return { state: 'wrong' };
    if (sealed.answerFrom > now().getTime()) return { state: 'early', challenge: challengeOf(token, sealed) };
    return { state: 'solved', by, salt, bits, life };
  }

  const leftOf = (used: Used | undefined) => (used ? (used.most - used.count) / used.most : 1);

  /** Counted when issued; otherwise one network could collect any number of challenges at the lowest price. */
  async function issue(wanted: Wanted): Promise<PortalError> {
    const draws = networkDraws('challengeNetwork', wanted.asker.address);
    const [scarce, ...counts] = await budgets.used([wanted.scarce, ...draws, ...easyDraws(wanted)]);
    await budgets.note(draws);
    const asked = counts.slice(0, draws.length);
    const { waitSeconds, largest } = questionPrice(counts.slice(draws.length));
    const sealed: ChallengeToken = {
      salt: randomBytes(16).toString('hex'),
      bits: difficultyBits({
        asked: asked.map(({ count, most }) => ({ count: count + 1, most })),
        left: (await keptBy(wanted)) ? 1 : leftOf(scarce),
      }),
      left: randomInt(2, largest[0] + 1),
      right: randomInt(2, largest[1] + 1),
      answerFrom: now().getTime() + waitSeconds * 1000,
      workUntil: now().getTime() + lifeSeconds * 1000,
      // A longer wait must not shorten the time to answer.
      life: lifeSeconds + waitSeconds - shortestWait,
    };
    events.given(wanted.effect);
    return needed(challengeOf(tokens.seal(purposeOf(wanted), sealed, sealed.life), sealed));
  }

  /** False if it was spent before, or if the price has risen above it. */
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
   * A network may have as many open codes from the kept budget as were verified there in a day. An attacker whose codes
   * nobody enters gets none, however many addresses and processors they have.
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

  /** Counted without a limit. */
  const easyDraws = ({ asker }: Wanted): Draw[] => networkDraws('questionEasy', asker.address);

  const questionDraws = (wanted: Wanted): Draw[] => [
    ...networkDraws('questionNetwork', wanted.asker.address),
    ...easyDraws(wanted).map((draw) => ({ ...draw, factor: Number.POSITIVE_INFINITY })),
    { budget: 'questionAll', subject: '' },
  ];

  /** Runs in a transaction that is committed if `run` returns null, and rolled back otherwise. */
  async function commitIfNull<T>(run: (transaction: Executor) => Promise<T | null>): Promise<T | null> {
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
   * Who the browser proved to be. That subject skips challenges a few times. It is counted by subject, because the
   * details on a bill can be proved again and again in any number of visits.
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

  /** Tries the budget kept for the network first, then the reserve at its price. */
  async function drawSolved(
    wanted: Wanted,
    submitted: Solved,
    draw: (transaction: Executor, admission: Admission) => Promise<BudgetName | null>,
  ): Promise<BudgetName | 'unspendable' | null> {
    const askedFrom = budgets.networks(wanted.asker.address);
    const attempt = (admission: Admission) =>
      commitIfNull<BudgetName | 'unspendable'>(async (transaction) => {
        if (!(await spend(wanted, submitted, admission.room, transaction))) return 'unspendable';
        const asked = submitted.by === 'answer' ? await budgets.take(questionDraws(wanted), transaction) : null;
        return asked ?? draw(transaction, admission);
      });
    const keptFor = await keptBy(wanted);
    const kept = keptFor === null ? 'codeKept' : await attempt(admissionTo('kept', askedFrom, keptFor));
    return isOfKept(kept) ? attempt(admissionTo('reserve', askedFrom, null)) : kept;
  }

  return {
    async admit(wanted, draw) {
      const { asker, effect, reserved, isKept } = wanted;
      const submitted = read(wanted);
      if (submitted.state === 'early') throw needed(submitted.challenge);

      if (submitted.state === 'solved') {
        const spent = await drawSolved(wanted, submitted, draw);
        if (spent !== 'unspendable') {
          events.solved(effect, spent ? 'inVain' : submitted.by);
          return spent;
        }
      }
      const spent = await commitIfNull((transaction) => draw(transaction, admissionTo('open', null, null)));
      if (spent === null || !reserved.includes(spent)) return spent;
      const proved = await provedSubject(asker.visit);
      if (proved) {
        const admission = isKept ? admissionTo('kept', null, '') : admissionTo('reserve', null, null);
        const last = await commitIfNull(
          async (transaction) =>
            (await budgets.take([provedDraw(proved)], transaction)) ?? draw(transaction, admission),
        );
        if (last !== 'codeProved') {
          events.solved(effect, last ? 'inVain' : 'proof');
          return last;
        }
      }
      if (submitted.state !== 'nothing') events.solved(effect, 'wrong');
      throw await issue(wanted);
    },

    provedSubject,
    keptDraws,
    noteVerified: (address) => budgets.note([verifiedDraw(address)]),

    async deleteExpired() {
      await db.deleteFrom('solved_challenges').where('expires_at', '<', now()).execute();
    },
  };
}

export interface Guess {
  effect: Wanted['effect'];
  /** What is being guessed. */
  subject: string;
  asker: Asker;
  /** For one network, and for all together. */
  budgets: { network: BudgetName; all: BudgetName };
  /** Further draws; if one is used up, the guess is refused. */
  also?: readonly Draw[];
}

/**
 * Limits guesses at a secret of an owner. Wrong guesses from one network are refused after some. Wrong guesses from all
 * networks together refuse nobody, since any stranger could then lock the owner out; instead they require a challenge,
 * at a rising price.
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
