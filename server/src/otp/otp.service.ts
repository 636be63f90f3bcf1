import { createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { reservedShare } from '@portal/domain/challenge/price.ts';
import { oneTimeCode } from '@portal/domain/constants.ts';
import { mailboxOf } from '@portal/domain/email.ts';
import { digitsOf, formatMoney } from '@portal/domain/money.ts';
import { fromWire, isOwnNetwork, toInternational, type WireNumber } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { toSmsText } from '@portal/domain/sms-text.ts';
import { isGuessingClosed } from '@portal/domain/verification/guessing.ts';
import {
  codeLifeSeconds,
  numberBlock,
  proofLifeSeconds,
  resendWait,
  tokenLifeSeconds,
  triesLeft,
} from '@portal/domain/verification/limits.ts';
import type { Kysely } from 'kysely';
import { type Budgets, type Draw, drawsOn, networkDraws } from '../budgets/budgets.service.ts';
import {
  type Admission,
  type Asker,
  type Challenges,
  provedDraw,
  type Wanted,
} from '../challenges/challenges.service.ts';
import type { MailSender, SmsSender } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import { endedBefore, periods } from '../db/periods.ts';
import type { NamedPayment, Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import type { OtpEvents } from './otp.events.ts';
import * as store from './otp.store.ts';

/**
 * What a proof is good for: a bill, a balance, a way to pay by its mode, or only that the number or the account is one's own.
 */
export const purposes = {
  invoice: 'INVOICE',
  balance: 'BALANCE',
  lead: 'HBB_LEADS',
  number: 'NUMBER',
  account: 'ACCOUNT',
  /** One order that is stored, and that the rules about risk asked about. */
  freshCode: 'FRESH_CODE',
} as const;

/** All that a proof says; it serves nothing that differs in any of it. */
export interface Proved {
  purpose: string;
  subject: string;
  visit: string | null;
  /** The digest of the one payment that it pays; null for a proof that only opens something. */
  payment: string | null;
}

export interface Otp {
  /** Gives the id under which the code is verified. Numbers that are no lines are answered alike. */
  send(request: {
    /** A number of ours gets it by SMS, an address by mail. */
    msisdn: string;
    purpose: string;
    recipient?: string;
    /** What the code pays, where it pays; the SMS names it. */
    payment?: NamedPayment;
    asker: Asker;
    language: string;
  }): Promise<string>;
  resend(request: { id: string; asker: Asker; language: string }): Promise<string>;
  /** Throws the reason in words; gives what was proved. */
  verify(request: { id: string; code: string; purpose?: string; asker: Omit<Asker, 'solved'> }): Promise<Proved>;
  issueProof(proved: Proved): Promise<string>;
  /** For reading: may be shown again while it lives. */
  requireProof(
    uniqueCode: string,
    wanted: { purposes: readonly string[]; subject: string; visit: string | null },
  ): Promise<void>;
  /** Once, by one attempt, in the transaction of the row that it makes. */
  spendProof(executor: Kysely<Schema>, uniqueCode: string, wanted: Proved, attempt: string): Promise<void>;
  /** Of a wallet, for the proof that was just issued. */
  issueToken(proved: Proved, uniqueCode: string): { tokenType: string; accessToken: string };
  /** What the token of a wallet was given for, and the proof behind it. */
  openToken(authorization: unknown): Proved & { proofDigest: string };
  /** False when another payment holds the proof, was paid by it, or its time is over. */
  holdProof(executor: Kysely<Schema>, digest: string, paymentId: string): Promise<boolean>;
  /** The wallet took nothing: the same purchase may be tried again. */
  releaseProof(executor: Kysely<Schema>, digest: string, paymentId: string): Promise<void>;
  forgetOld(): Promise<void>;
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
  /** The site that a code is typed on; browsers fill it in nowhere else. */
  host: string;
  now: () => Date;
  events: OtpEvents;
}

const tokenType = 'Bearer';
const tokenPurpose = 'wallet';
const isAddress = (recipient: string) => recipient.includes('@');
const isNumber = (recipient: string): recipient is WireNumber => !isAddress(recipient);
/** Wrong codes for a block of numbers, and for all of them, that close guessing: so many times those of an address. */
const guessRoom = { block: 4, all: 50 };

/** Wide budgets get their place back from a code that was verified: whoever holds the phone asked for it. */
const wideDraws = (recipient: string, room: Admission['room']): Draw[] => {
  const part = room === 'open' ? { reserved: reservedShare } : {};
  if (isAddress(recipient)) return [{ budget: 'codeMailAll', subject: '', ...part }];
  // Neighbours of ten thousand are no reason to refuse anybody: who solved a challenge is only counted.
  const block = room === 'open' ? part : { factor: Number.POSITIVE_INFINITY };
  return [
    { budget: 'codeBlock', subject: numberBlock(recipient), ...block },
    ...(room === 'kept' ? [] : [{ budget: 'codeSmsAll', subject: '', ...part } as const]),
  ];
};

function narrowDraws(recipient: string): Draw[] {
  if (!isAddress(recipient))
    return [
      { budget: 'codeNumberSoon', subject: recipient },
      { budget: 'codeNumberDay', subject: recipient },
    ];
  const subject = mailboxOf(recipient);
  return [
    { budget: 'codeMailSoon', subject },
    { budget: 'codeMailDay', subject },
  ];
}

function wantedBy(asker: Asker, recipient: string): Wanted {
  const effect = isAddress(recipient) ? 'mail' : 'sms';
  const scarce = effect === 'mail' ? 'codeMailAll' : 'codeSmsAll';
  return {
    effect,
    subject: recipient,
    asker,
    scarce: { budget: scarce, subject: '' },
    reserved: ['codeBlock', scarce],
    isKept: effect === 'sms',
  };
}

/** From where, and for whose numbers codes are tried; each is looked at by itself. */
const guessDraws = (budget: 'guessWrong' | 'guessRight', address: string, recipient: string): Draw[] => [
  ...networkDraws(budget, address),
  ...(isAddress(recipient) ? [] : [{ budget, subject: numberBlock(recipient), factor: guessRoom.block }]),
  { budget, subject: '', factor: guessRoom.all },
];
const newId = () => randomBytes(16).toString('hex');

export const isProved = (proof: Proved, wanted: Proved): boolean =>
  proof.purpose === wanted.purpose &&
  proof.subject === wanted.subject &&
  proof.visit === wanted.visit &&
  proof.payment === wanted.payment;

export function createOtp(deps: Dependencies): Otp {
  const { db, pack, budgets, challenges, tokens, events } = deps;
  const key = Buffer.from(hkdfSync('sha256', deps.secret, '', 'one-time-code', 32));
  const keyed = (...parts: string[]) => createHmac('sha256', key).update(parts.join('\n')).digest('base64url');
  const hashOf = (id: string, code: string) => keyed('code', id, code);
  const inSeconds = (seconds: number) => new Date(deps.now().getTime() + seconds * 1000);
  const newCode = () => String(randomInt(10 ** oneTimeCode.digits)).padStart(oneTimeCode.digits, '0');
  const spentUp = () => new PortalError('maxLimit');
  const notVerified = () => new PortalError('notVerified');

  /** Every limit is drawn on before anything is sent, in the transaction that stores the code. */
  async function storeWithinBudget(
    recipient: string,
    asker: Asker,
    put: (transaction: Kysely<Schema>, paid: { asked_from: string | null; kept_for: string | null }) => Promise<void>,
  ): Promise<void> {
    // Strangers can use up the codes of a number, but not those of whoever has just shown to hold it.
    const isOwner = (await challenges.provedSubject(asker.visit)) === recipient;
    const narrow = isOwner ? [provedDraw(recipient)] : narrowDraws(recipient);
    const spent = await challenges.admit(wantedBy(asker, recipient), async (transaction, admission) => {
      const { room, keptDraws, askedFrom, keptFor } = admission;
      const draws = [...narrow, ...wideDraws(recipient, room), ...keptDraws];
      const full = await budgets.take(draws, transaction);
      if (!full) await put(transaction, { asked_from: askedFrom, kept_for: keptFor });
      return full;
    });
    if (!spent) return;
    events.refused('budget');
    throw spentUp();
  }

  /** Asked only of a second try: the first is everybody's. */
  async function isClosedTo(address: string, recipient: string): Promise<boolean> {
    const wrong = guessDraws('guessWrong', address, recipient);
    const used = await budgets.used([...wrong, ...guessDraws('guessRight', address, recipient)]);
    return wrong.some((_, level) => {
      const { count = 0, most = 0 } = used[level] ?? {};
      return isGuessingClosed({ wrong: count, right: used[level + wrong.length]?.count ?? 0, most });
    });
  }

  function wordsOf(code: string, payment: NamedPayment | null, language: string): string {
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
    const text = wordsOf(code, payment, language);
    try {
      if (!isNumber(recipient))
        await deps.mail.send({ to: recipient, subject: deps.texts.text(language, 'notices.codeSubject'), text });
      else
        await deps.sms.send({
          to: toInternational(fromWire(recipient), pack.numbering).slice(1),
          // The origin-bound line of WICG: a browser offers the code on this site and on no other.
          text: `${toSmsText(text)}\n\n@${deps.host} #${code}`,
        });
      events.sent();
    } catch (error) {
      events.notSent(error);
      throw spentUp();
    }
  }

  /** The same asked for again within a minute, by a second tap or a page opened anew: the code that is there serves it. */
  async function sentJustNow(
    asked: Pick<store.Code, 'subject' | 'purpose' | 'visit' | 'recipient'> & { payment: NamedPayment | null },
  ): Promise<string | null> {
    const known = await store.findRecent(db, asked, inSeconds(-oneTimeCode.resendSeconds));
    const isSame = known?.recipient === asked.recipient && known.payment?.digest === asked.payment?.digest;
    return isSame && known.tries < oneTimeCode.attempts ? known.id : null;
  }

  return {
    async send({ msisdn, purpose, recipient = msisdn, payment = null, asker, language }) {
      if (isNumber(recipient) && !isOwnNetwork(fromWire(recipient), pack.numbering))
        throw new PortalError('codeForForeignNumber', {
          field: 'data.msisdn',
        });
      const earlier = await sentJustNow({ subject: msisdn, purpose, visit: asker.visit, recipient, payment });
      if (earlier) return earlier;
      const id = newId();
      const code = newCode();
      await storeWithinBudget(recipient, asker, (transaction, paid) =>
        store.insertCode(transaction, {
          id,
          purpose,
          subject: msisdn,
          recipient,
          visit: asker.visit,
          code_hash: hashOf(id, code),
          payment: payment && JSON.stringify(payment),
          sent_at: deps.now(),
          expires_at: inSeconds(codeLifeSeconds),
          ...paid,
        }),
      );
      try {
        await deliver(recipient, { code, payment, language });
      } catch (error) {
        // Nobody has it: whoever asks again is to get one.
        await store.endCode(db, id, deps.now());
        throw error;
      }
      return id;
    },

    async resend({ id, asker, language }) {
      const known = await store.findCode(db, id);
      if (!known || known.ended_at || known.visit !== asker.visit) throw new PortalError('codeUnknown');
      const wait = resendWait((deps.now().getTime() - known.sent_at.getTime()) / 1000);
      if (wait !== null) throw new PortalError('codeTooSoon', { retryAfterSeconds: wait }, { seconds: wait });
      const code = newCode();
      await storeWithinBudget(known.recipient, asker, async (transaction, paid) => {
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
      if (tried.tries > 1 && (await isClosedTo(address, tried.recipient))) {
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
      await challenges.noteVerified(address);
      await budgets.note(guessDraws('guessRight', address, tried.recipient));
      events.verified();
      return { subject: tried.subject, purpose: tried.purpose, visit, payment: tried.payment?.digest ?? null };
    },

    async issueProof(proved) {
      const uniqueCode = newId();
      await store.insertProof(db, {
        digest: keyed('proof', uniqueCode),
        ...proved,
        expires_at: inSeconds(proofLifeSeconds),
      });
      return uniqueCode;
    },

    async requireProof(uniqueCode, wanted) {
      const proof = await store.findProof(db, keyed('proof', uniqueCode), deps.now());
      if (!proof || !wanted.purposes.some((purpose) => isProved(proof, { ...wanted, purpose, payment: proof.payment })))
        throw notVerified();
    },

    async spendProof(executor, uniqueCode, wanted, attempt) {
      const digest = keyed('proof', uniqueCode);
      const proof = await store.findProof(executor, digest, deps.now());
      if (!proof || !isProved(proof, wanted)) throw notVerified();
      if (!(await store.spendProof(executor, digest, keyed('attempt', attempt), deps.now()))) throw notVerified();
    },

    issueToken(proved, uniqueCode) {
      const sealed = { ...proved, proofDigest: keyed('proof', uniqueCode) };
      return { tokenType, accessToken: tokens.seal(tokenPurpose, sealed, tokenLifeSeconds) };
    },

    openToken(authorization) {
      const [type, token = ''] = String(authorization ?? '').split(' ');
      const opened =
        type === tokenType ? (tokens.open(tokenPurpose, token) as ReturnType<Otp['openToken']> | null) : null;
      if (!opened) throw notVerified();
      return opened;
    },

    holdProof: (executor, digest, paymentId) => store.spendProof(executor, digest, paymentId, deps.now()),
    releaseProof: store.releaseProof,

    forgetOld: () => store.forgetOld(db, endedBefore(periods.codes, deps.now())),
  };
}
