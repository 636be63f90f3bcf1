import { createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { oneTimeCode } from '@portal/domain/constants.ts';
import { fromWire, isOwnNetwork, toInternational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import {
  codeLifeSeconds,
  numberBlock,
  proofLifeSeconds,
  resendWait,
  tokenLifeSeconds,
  triesLeft,
} from '@portal/domain/verification/limits.ts';
import type { Kysely } from 'kysely';
import type { Budgets, Draw } from '../budgets/budgets.service.ts';
import type { MailSender, SmsSender } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import type { OtpEvents } from './otp.events.ts';
import * as store from './otp.store.ts';

/** What a proof is good for: a bill, a balance, a way to pay by its mode, or only that the number is one's own. */
export const purposes = { invoice: 'INVOICE', balance: 'BALANCE', lead: 'HBB_LEADS', number: 'NUMBER' } as const;

export interface Otp {
  /** Gives the id under which the code is verified. Numbers that are no lines are answered alike. */
  send(request: {
    /** A number of ours gets it by SMS, an address by mail. */
    msisdn: string;
    purpose: string;
    recipient?: string;
    visit: string | null;
    language: string;
  }): Promise<string>;
  resend(request: { id: string; visit: string | null; language: string }): Promise<string>;
  /** Throws the reason in words; gives what was proved. `purpose` settles a code that was sent for none. */
  verify(request: {
    id: string;
    code: string;
    purpose?: string;
    visit: string | null;
  }): Promise<{ subject: string; purpose: string }>;
  issueProof(purpose: string, subject: string): Promise<string>;
  /** For reading: may be shown again while it lives. */
  requireProof(uniqueCode: string, wanted: { purposes: readonly string[]; subject: string }): Promise<void>;
  /** For paying: once, by one attempt. */
  spendProof(uniqueCode: string, wanted: { purpose: string; subject: string }, attempt: string): Promise<void>;
  issueToken(mode: string, subject: string): { tokenType: string; accessToken: string };
  /** The number a wallet's token was given to. */
  requireToken(authorization: unknown, mode: string): string;
  forgetOld(): Promise<void>;
}

interface Dependencies {
  db: Kysely<Schema>;
  sms: SmsSender;
  mail: MailSender;
  texts: Texts;
  pack: OperatorPack;
  budgets: Budgets;
  tokens: SealedTokens;
  secret: string;
  now: () => Date;
  events: OtpEvents;
}

const tokenType = 'Bearer';
const tokenPurpose = 'wallet';
const isAddress = (recipient: string) => recipient.includes('@');
/** Addresses have no neighbours. */
const blockOf = (recipient: string) => (isAddress(recipient) ? recipient : numberBlock(recipient));
const newId = () => randomBytes(16).toString('hex');

export function createOtp(deps: Dependencies): Otp {
  const { db, pack, budgets, tokens, events } = deps;
  const key = Buffer.from(hkdfSync('sha256', deps.secret, '', 'one-time-code', 32));
  const keyed = (...parts: string[]) => createHmac('sha256', key).update(parts.join('\n')).digest('base64url');
  const hashOf = (id: string, code: string) => keyed('code', id, code);
  const inSeconds = (seconds: number) => new Date(deps.now().getTime() + seconds * 1000);
  const newCode = () => String(randomInt(10 ** oneTimeCode.digits)).padStart(oneTimeCode.digits, '0');
  const spentUp = () => new PortalError('maxLimit', 'max limit exhausted, please try after sometime.');
  const notVerified = () => new PortalError('notVerified', 'Please verify your number first.');

  /** Wide budgets get their place back from a code that was verified: whoever holds the phone asked for it. */
  const wideDraws = (recipient: string): Draw[] => [
    { budget: 'codeBlock', subject: blockOf(recipient) },
    { budget: 'codeAll', subject: '' },
  ];

  /** Every limit is drawn on before anything is sent. */
  async function draw(recipient: string): Promise<void> {
    const spent = await budgets.take([
      { budget: 'codeNumberSoon', subject: recipient },
      { budget: 'codeNumberDay', subject: recipient },
      ...wideDraws(recipient),
    ]);
    if (!spent) return;
    events.refused('budget');
    throw spentUp();
  }

  async function deliver(recipient: string, code: string, language: string): Promise<void> {
    const text = deps.texts.text(language, 'notices.code', {
      code,
      brand: pack.brand.name,
      minutes: codeLifeSeconds / 60,
    });
    try {
      if (isAddress(recipient))
        await deps.mail.send({ to: recipient, subject: deps.texts.text(language, 'notices.codeSubject'), text });
      else await deps.sms.send({ to: toInternational(fromWire(recipient), pack.numbering).slice(1), text });
      events.sent();
    } catch (error) {
      events.notSent(error);
      throw spentUp();
    }
  }

  return {
    async send({ msisdn, purpose, recipient = msisdn, visit, language }) {
      if (!isAddress(recipient) && !isOwnNetwork(fromWire(recipient), pack.numbering))
        throw new PortalError('codeRefused', 'We can only send a code to one of our own numbers.', {
          field: 'data.msisdn',
        });
      await draw(recipient);
      const id = newId();
      const code = newCode();
      await store.insertCode(db, {
        id,
        purpose,
        subject: msisdn,
        recipient,
        visit,
        code_hash: hashOf(id, code),
        sent_at: deps.now(),
        expires_at: inSeconds(codeLifeSeconds),
      });
      await deliver(recipient, code, language);
      return id;
    },

    async resend({ id, visit, language }) {
      const known = await store.findCode(db, id);
      if (!known || known.ended_at || known.visit !== visit)
        throw new PortalError('codeRefused', 'Please ask for a new code.');
      const wait = resendWait((deps.now().getTime() - known.sent_at.getTime()) / 1000);
      if (wait !== null)
        throw new PortalError('codeRefused', `You can ask for another code in ${wait} seconds.`, {
          retryAfterSeconds: wait,
        });
      await draw(known.recipient);
      const code = newCode();
      const fresh = { code_hash: hashOf(id, code), sent_at: deps.now(), expires_at: inSeconds(codeLifeSeconds) };
      if (!(await store.renewCode(db, known, fresh)))
        throw new PortalError('codeRefused', 'Please ask for a new code.');
      await deliver(known.recipient, code, language);
      return id;
    },

    async verify({ id, code, purpose, visit }) {
      const tried = await store.countTry(db, id, oneTimeCode.attempts, deps.now());
      if (!tried) {
        const known = await store.findCode(db, id);
        events.refused('spent');
        if (known && !known.ended_at && known.tries >= oneTimeCode.attempts)
          throw new PortalError('attemptsExhausted', 'Maximum attempts exhausted.', { attemptsLeft: 0 });
        throw new PortalError('codeRefused', 'This code is no longer valid. Please ask for a new one.');
      }
      const expected = Buffer.from(tried.code_hash);
      const given = Buffer.from(hashOf(id, code));
      const isForPurpose = !purpose || tried.purpose === purpose || tried.purpose === purposes.number;
      const isRight = given.length === expected.length && timingSafeEqual(given, expected);
      if (!isRight || tried.visit !== visit || !isForPurpose) {
        events.refused('wrong');
        const attemptsLeft = triesLeft(tried.tries);
        if (attemptsLeft === 0)
          throw new PortalError('attemptsExhausted', 'Maximum attempts exhausted.', { attemptsLeft });
        throw new PortalError('wrongCode', 'Please enter correct OTP', { attemptsLeft });
      }
      if (!(await store.endCode(db, id, deps.now())))
        throw new PortalError('codeRefused', 'This code is no longer valid. Please ask for a new one.');
      await budgets.giveBack(wideDraws(tried.recipient), tried.sent_at);
      events.verified();
      return { subject: tried.subject, purpose: purpose ?? tried.purpose };
    },

    async issueProof(purpose, subject) {
      const uniqueCode = newId();
      await store.insertProof(db, {
        digest: keyed('proof', uniqueCode),
        purpose,
        subject,
        expires_at: inSeconds(proofLifeSeconds),
      });
      return uniqueCode;
    },

    async requireProof(uniqueCode, wanted) {
      const proof = await store.findProof(db, keyed('proof', uniqueCode), deps.now());
      if (!proof || proof.subject !== wanted.subject || !wanted.purposes.includes(proof.purpose)) throw notVerified();
    },

    async spendProof(uniqueCode, wanted, attempt) {
      const digest = keyed('proof', uniqueCode);
      const proof = await store.findProof(db, digest, deps.now());
      if (!proof || proof.subject !== wanted.subject || proof.purpose !== wanted.purpose) throw notVerified();
      if (!(await store.spendProof(db, digest, keyed('attempt', attempt), deps.now()))) throw notVerified();
    },

    issueToken: (mode, subject) => ({
      tokenType,
      accessToken: tokens.seal(tokenPurpose, { mode, subject }, tokenLifeSeconds),
    }),

    requireToken(authorization, mode) {
      const [type, token = ''] = String(authorization ?? '').split(' ');
      const opened =
        type === tokenType ? (tokens.open(tokenPurpose, token) as { mode: string; subject: string } | null) : null;
      if (!opened || opened.mode !== mode) throw notVerified();
      return opened.subject;
    },

    forgetOld: () => store.forgetOld(db, inSeconds(-24 * 3600)),
  };
}
