import { reservedShare } from '@portal/domain/challenge/difficulty.ts';
import { mailboxOf } from '@portal/domain/email.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import { numberBlock } from '@portal/domain/verification/lifetimes.ts';
import { type Draw, networkDraws } from '../budgets/budgets.service.ts';
import type { Admission, Asker, Wanted } from '../challenges/challenges.service.ts';
import { networksOf } from '../http/address-networks.ts';
import { isOfBrowser } from '../http/visits.ts';

const isAddress = (recipient: string) => recipient.includes('@');
export const isNumber = (recipient: string): recipient is WireNumber => !isAddress(recipient);
/** How many times the limit of wrong codes for an address applies to a block of numbers and to all of them. */
const guessFactors = { block: 4, all: 50 };

/** A verified code is given back to the wide budgets: the owner of the phone asked for it. */
export const wideDraws = (recipient: string, room: Admission['room']): Draw[] => {
  const part = room === 'open' ? { reserved: reservedShare } : {};
  if (isAddress(recipient)) return [{ budget: 'codeMailAll', subject: '', ...part }];
  // Abuse of neighbouring numbers is no reason to refuse anyone: after a challenge the block is only counted.
  const block = room === 'open' ? part : { factor: Number.POSITIVE_INFINITY };
  return [
    { budget: 'codeBlock', subject: numberBlock(recipient), ...block },
    ...(room === 'kept' ? [] : [{ budget: 'codeSmsAll', subject: '', ...part } as const]),
  ];
};

/** `v+1@x` and `v@x` are one mailbox. */
const holderOf = (recipient: string) => (isAddress(recipient) ? mailboxOf(recipient) : recipient);

const partDraws = (subject: string): Draw[] => [
  { budget: 'codeNetworkSoon', subject },
  { budget: 'codeNetworkDay', subject },
];

/** A minute between two codes. */
const gapDraw = (subject: string): Draw => ({ budget: 'codeGap', subject });

/** The draws on a recipient's budgets for one code. */
export interface NarrowDraws {
  /** The minimum time between two codes. */
  gap: readonly Draw[];
  draws: readonly Draw[];
  /** Set if the networks of strangers take turns. Counted without a limit. */
  turns: Turns | null;
}

export interface Turns {
  /** A request was refused for coming too soon, from any network. */
  waited: Draw;
  /** The same from this network. */
  hereWaited: Draw;
  /** This network got a code. */
  hereServed: Draw;
}

/** For a browser that proved the number; strangers cannot delay it. */
export const provedNarrow = (draw: Draw): NarrowDraws => ({ gap: [], draws: [draw], turns: null });

/** For a network where the number was verified before: codes still have a gap, but those of strangers do not count. */
export const knownNarrow = (place: string): NarrowDraws => ({
  gap: [gapDraw(place)],
  draws: partDraws(place),
  turns: null,
});

/** How many codes strangers may have sent to a recipient; one network gets only a part. */
export function strangersNarrow(recipient: string, address: string): NarrowDraws {
  const subject = holderOf(recipient);
  const network = `${subject} from ${networksOf(address).at(-1)}`;
  const [soon, day] = isAddress(recipient)
    ? (['codeMailSoon', 'codeMailDay'] as const)
    : (['codeNumberSoon', 'codeNumberDay'] as const);
  const turn = (of: string): Draw => ({ budget: 'codeTurn', subject: of });
  return {
    gap: [gapDraw(subject)],
    draws: [...partDraws(network), { budget: soon, subject }, { budget: day, subject }],
    turns: { waited: turn(subject), hereWaited: turn(network), hereServed: turn(`${network}, served`) },
  };
}

/** Where a recipient's codes are verified: the browser and the narrowest network. Counted without a limit. */
export const verifiedDraws = (recipient: string, { visit, address }: Pick<Asker, 'visit' | 'address'>): Draw[] =>
  [...(isOfBrowser(visit) ? [`in ${visit}`] : []), `from ${networksOf(address)[0]}`].map((place) => ({
    budget: 'codeVerified',
    subject: `${holderOf(recipient)} ${place}`,
  }));

export function wantedBy(asker: Asker, recipient: string): Wanted {
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

/** The networks and the numbers for which codes are tried; each is judged by itself. */
export const guessDraws = (budget: 'guessWrong' | 'guessRight', address: string, recipient: string): Draw[] => [
  ...networkDraws(budget, address),
  ...(isAddress(recipient) ? [] : [{ budget, subject: numberBlock(recipient), factor: guessFactors.block }]),
  { budget, subject: '', factor: guessFactors.all },
];
