import { createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { oneTimeCode } from '@portal/domain/constants.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { fromWire, isOwnNetwork, toInternational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { toSmsText } from '@portal/domain/sms-text.ts';
import { isGuessingClosed } from '@portal/domain/verification/guessing.ts';
import { codeLifeSeconds, resendWait, triesLeft } from '@portal/domain/verification/lifetimes.ts';
import type { Kysely } from 'kysely';
import { type Budgets, drawsOn } from '../budgets/budgets.service.ts';
import { type Asker, type Challenges, provedDraw } from '../challenges/challenges.service.ts';
import type { MailSender, SmsSender } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import type { NamedPayment } from '../db/schema/verification.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import { endedBefore, periods } from '../retention/retention-periods.ts';
import {
  guessDraws,
  isNumber,
  knownNarrow,
  type NarrowDraws,
  provedNarrow,
  strangersNarrow,
  type Turns,
  verifiedDraws,
  wantedBy,
  wideDraws,
} from './otp.draws.ts';
import type { OtpEvents } from './otp.events.ts';
import { createProofs, type Proofs, type Proved } from './otp.proofs.ts';
import * as store from './otp.store.ts';

export { isProved, type Proved } from './otp.proofs.ts';

/** What a proof is for: a bill, a balance, a way to pay (by its mode), or only that the number or account is one's own. */
export const purposes = {
  invoice: 'INVOICE',
  balance: 'BALANCE',
  lead: 'HBB_LEADS',
  number: 'NUMBER',
  account: 'ACCOUNT',
  /** One stored order for which the risk rules demanded a fresh code. */
  freshCode: 'FRESH_CODE',
} as const;

export interface Otp extends Proofs {
  /** Returns the id under which the code is verified. Numbers that are not lines get the same response. */
  send(request: {
    /** A number of ours gets an SMS, an email address a mail. */
    msisdn: string;
    purpose: string;
    recipient?: string;
    /** The payment that the code authorises, if any; the SMS names it. */
    payment?: NamedPayment;
    asker: Asker;
    language: string;
  }): Promise<string>;
  resend(request: { id: string; asker: Asker; language: string }): Promise<string>;
  /** Throws the refusal, or returns what was proved. */
  verify(request: { id: string; code: string; purpose?: string; asker: Omit<Asker, 'solved'> }): Promise<Proved>;
  deleteExpired(): Promise<void>;
}

interface Dependencies {
  db: Kysely<Schema>;
  sms: SmsSender;
  mail: MailSender;
  texts: Texts;
  pack: OperatorPack;
  budgets: Budgets;
  challenges: Challenges;
  tokens: SealedTokens;
  secret: string;
  /** The origin that the code is entered on; browsers autofill it nowhere else. */
  host: string;
  now: () => Date;
  events: OtpEvents;
}

const newId = () => randomBytes(16).toString('hex');

export function createOtp(deps: Dependencies): Otp {
  const { db, pack, budgets, challenges, events } = deps;
  const key = Buffer.from(hkdfSync('sha256', deps.secret, '', 'one-time-code', 32));
  const keyed = (...parts: string[]) => createHmac('sha256', key).update(parts.join('\n')).digest('base64url');
  const hashOf = (id: string, code: string) => keyed('code', id, code);
  const inSeconds = (seconds: number) => new Date(deps.now().getTime() + seconds * 1000);
  const newCode = () => String(randomInt(10 ** oneTimeCode.digits)).padStart(oneTimeCode.digits, '0');
  const limitReached = () => new PortalError('maxLimit');

  const tooSoon = (wait: number) => new PortalError('codeTooSoon', { retryAfterSeconds: wait }, { seconds: wait });

  /** Strangers can use up the codes of a number, but not those of a browser or network that verified it recently. */
  async function narrowOf(recipient: string, asker: Asker): Promise<NarrowDraws> {
    if ((await challenges.provedSubject(asker.visit)) === recipient) return provedNarrow(provedDraw(recipient));
    const places = verifiedDraws(recipient, asker);
    const used = await budgets.used(places);
    const known = places.find((_, index) => (used[index]?.count ?? 0) > 0);
    return known ? knownNarrow(known.subject) : strangersNarrow(recipient, asker.address);
  }

  /**
   * Without turns a stranger could ask again each time the minute is over, and the owner would come too soon until the
   * stranger's codes are used up.
   */
  async function isOthersTurn(turns: Turns): Promise<boolean> {
    const [waited, hereWaited, hereServed] = await budgets.used([turns.waited, turns.hereWaited, turns.hereServed]);
    return Boolean(hereServed?.count) && (waited?.count ?? 0) > (hereWaited?.count ?? 0);
  }

  /**
   * Draws on every budget before anything is sent, in the transaction that stores the code. `renewed` is when the
   * replaced code was sent, at least a minute ago.
   */
  async function storeWithinBudget(
    { recipient, asker, renewed }: { recipient: string; asker: Asker; renewed?: Date },
    put: (transaction: Kysely<Schema>, paid: { asked_from: string | null; kept_for: string | null }) => Promise<void>,
  ): Promise<void> {
    const narrow = await narrowOf(recipient, asker);
    if (narrow.turns && (await isOthersTurn(narrow.turns)))
      throw tooSoon(Math.max(await budgets.waitFor(narrow.turns.hereServed), 1));
    const spent = await challenges.admit(wantedBy(asker, recipient), async (transaction, admission) => {
      const { room, keptDraws, askedFrom, keptFor } = admission;
      if (renewed) await budgets.giveBack(narrow.gap, renewed, transaction);
      const draws = [...narrow.gap, ...narrow.draws, ...wideDraws(recipient, room), ...keptDraws];
      const full = await budgets.take(draws, transaction);
      if (!full) await put(transaction, { asked_from: askedFrom, kept_for: keptFor });
      return full;
    });
    const { turns, gap } = narrow;
    if (!spent) return void (turns && (await budgets.note([turns.hereServed])));
    events.refused('budget');
    if (spent !== 'codeGap') throw limitReached();
    if (turns) await budgets.note([turns.waited, turns.hereWaited]);
    const waits = await Promise.all(gap.map((draw) => budgets.waitFor(draw)));
    throw tooSoon(Math.max(...waits, 1));
  }

  /** The next code need not wait for one that was entered, or that nobody got. */
  const endGap = async (recipient: string, asker: Omit<Asker, 'solved'>, sentAt: Date) =>
    budgets.giveBack(
      [
        ...strangersNarrow(recipient, asker.address).gap,
        ...verifiedDraws(recipient, asker).flatMap(({ subject }) => knownNarrow(subject).gap),
      ],
      sentAt,
    );

  /** Applied from the second attempt on: the first is always allowed. */
  async function isGuessingClosedTo(address: string, recipient: string): Promise<boolean> {
    const wrong = guessDraws('guessWrong', address, recipient);
    const used = await budgets.used([...wrong, ...guessDraws('guessRight', address, recipient)]);
    return wrong.some((_, level) => {
      const { count = 0, most = 0 } = used[level] ?? {};
      return isGuessingClosed({ wrong: count, right: used[level + wrong.length]?.count ?? 0, most });
    });
  }

  function messageOf(code: string, payment: NamedPayment | null, language: string): string {
    const formats = pack.languages.find(({ locale }) => locale === language)?.formats ?? language;
    const facts = { code, brand: pack.brand.name, minutes: codeLifeSeconds / 60 };
    if (!payment) return deps.texts.text(language, 'notices.code', facts);
    const amount = formatMoney(payment, formats, digitsOf(pack, payment.currency));
    return deps.texts.text(language, 'notices.payCode', { ...facts, amount, payee: payment.payee });
  }

  async function deliver(
    recipient: string,
    { code, payment, language }: { code: string; payment: NamedPayment | null; language: string },
  ): Promise<void> {
    const text = messageOf(code, payment, language);
    try {
      if (!isNumber(recipient))
        await deps.mail.send({ to: recipient, subject: deps.texts.text(language, 'notices.codeSubject'), text });
      else
        await deps.sms.send({
          to: toInternational(fromWire(recipient), pack.numbering).slice(1),
          // The origin-bound line of WICG: a browser offers the code only on this site.
          text: `${toSmsText(text)}\n\n@${deps.host} #${code}`,
        });
      events.sent();
    } catch (error) {
      events.notSent(error);
      throw limitReached();
    }
  }

  /** The code that was sent for exactly this, while it is valid. */
  async function findValid(
    asked: Pick<store.Code, 'subject' | 'purpose' | 'visit' | 'recipient'> & { payment: NamedPayment | null },
  ): Promise<store.Code | null> {
    const known = await store.findRecent(db, asked, inSeconds(-codeLifeSeconds));
    const isSame = known?.recipient === asked.recipient && known.payment?.digest === asked.payment?.digest;
    return isSame && known.tries < oneTimeCode.attempts ? known : null;
  }

  return {
    async send({ msisdn, purpose, recipient = msisdn, payment = null, asker, language }) {
      if (isNumber(recipient) && !isOwnNetwork(fromWire(recipient), pack.numbering))
        throw new PortalError('codeForForeignNumber', {
          field: 'data.msisdn',
        });
      const earlier = await findValid({ subject: msisdn, purpose, visit: asker.visit, recipient, payment });
      // A repeated request within a minute, from a double tap or a reload, gets the existing code.
      if (earlier && earlier.sent_at > inSeconds(-oneTimeCode.resendSeconds)) return earlier.id;
      const id = newId();
      const code = newCode();
      const sentAt = deps.now();
      try {
        await storeWithinBudget({ recipient, asker }, (transaction, paid) =>
          store.insertCode(transaction, {
            id,
            purpose,
            subject: msisdn,
            recipient,
            visit: asker.visit,
            code_hash: hashOf(id, code),
            payment: payment && JSON.stringify(payment),
            sent_at: sentAt,
            expires_at: inSeconds(codeLifeSeconds),
            ...paid,
          }),
        );
      } catch (error) {
        // A code for something else went to this number a moment ago; the one for this is still valid.
        if (earlier && error instanceof PortalError && error.refusal === 'codeTooSoon') return earlier.id;
        throw error;
      }
      try {
        await deliver(recipient, { code, payment, language });
      } catch (error) {
        // Nobody received it, so a new request must get a new code.
        await store.endCode(db, id, deps.now());
        await endGap(recipient, asker, sentAt);
        throw error;
      }
      return id;
    },

    async resend({ id, asker, language }) {
      const known = await store.findCode(db, id);
      if (!known || known.ended_at || known.visit !== asker.visit) throw new PortalError('codeUnknown');
      const wait = resendWait((deps.now().getTime() - known.sent_at.getTime()) / 1000);
      if (wait !== null) throw tooSoon(wait);
      const code = newCode();
      const { recipient, sent_at: renewed } = known;
      await storeWithinBudget({ recipient, asker, renewed }, async (transaction, paid) => {
        const fresh = {
          code_hash: hashOf(id, code),
          sent_at: deps.now(),
          expires_at: inSeconds(codeLifeSeconds),
          ...paid,
        };
        if (!(await store.renewCode(transaction, known, fresh))) throw new PortalError('codeUnknown');
      });
      await deliver(known.recipient, { code, payment: known.payment, language });
      return id;
    },

    async verify({ id, code, purpose, asker: { visit, address } }) {
      const tried = await store.countTry(db, id, oneTimeCode.attempts, deps.now());
      if (!tried) {
        const known = await store.findCode(db, id);
        events.refused('spent');
        if (known && !known.ended_at && known.tries >= oneTimeCode.attempts)
          throw new PortalError('attemptsExhausted', { attemptsLeft: 0 });
        throw new PortalError('codeExpired');
      }
      if (tried.tries > 1 && (await isGuessingClosedTo(address, tried.recipient))) {
        events.refused('closed');
        await store.endCode(db, id, deps.now());
        throw new PortalError('attemptsExhausted', { attemptsLeft: 0 });
      }
      const expected = Buffer.from(tried.code_hash);
      const given = Buffer.from(hashOf(id, code));
      const isForPurpose = !purpose || tried.purpose === purpose;
      const isRight = given.length === expected.length && timingSafeEqual(given, expected);
      if (!isRight || tried.visit !== visit || !isForPurpose) {
        events.refused('wrong');
        await budgets.note(guessDraws('guessWrong', address, tried.recipient));
        const attemptsLeft = triesLeft(tried.tries);
        if (attemptsLeft === 0) throw new PortalError('attemptsExhausted', { attemptsLeft });
        throw new PortalError('wrongCode', { attemptsLeft });
      }
      if (!(await store.endCode(db, id, deps.now()))) throw new PortalError('codeExpired');
      await budgets.giveBack(
        [
          ...wideDraws(tried.recipient, tried.kept_for === null ? 'reserve' : 'kept'),
          ...challenges.keptDraws(tried.kept_for),
          ...drawsOn('challengeNetwork', tried.asked_from),
        ],
        tried.sent_at,
      );
      await endGap(tried.recipient, { visit, address }, tried.sent_at);
      await challenges.noteVerified(address);
      await budgets.note([
        ...guessDraws('guessRight', address, tried.recipient),
        ...verifiedDraws(tried.recipient, { visit, address }),
      ]);
      events.verified();
      return { subject: tried.subject, purpose: tried.purpose, visit, payment: tried.payment?.digest ?? null };
    },

    ...createProofs(deps, keyed),

    deleteExpired: () => store.deleteExpired(db, endedBefore(periods.codes, deps.now())),
  };
}
