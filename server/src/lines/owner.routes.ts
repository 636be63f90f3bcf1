import { leadTags } from '@portal/domain/constants.ts';
import { fromWire, maskNational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { airtimeMode } from '@portal/domain/transaction-types.ts';
import type { Bills } from '../bills/bills.service.ts';
import { type Budgets, networkDraws } from '../budgets/budgets.service.ts';
import { askerOf, boundedGuess, type Challenges } from '../challenges/challenges.service.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import { type Otp, purposes } from '../otp/otp.service.ts';
import type { Lines } from './lines.service.ts';

interface OwnerRoutes {
  otp: Otp;
  lines: Lines;
  bills: Bills;
  pack: OperatorPack;
  budgets: Budgets;
  challenges: Challenges;
  visits: Visits;
  now: () => Date;
}

/** Data that only the owner of a line may see, and the ways to prove ownership. */
export function ownerHandlers({ otp, lines, bills, pack, budgets, challenges, visits, now }: OwnerRoutes): Handlers {
  return {
    async validateAccount({ body, headers, ip }) {
      const { msisdn, accountNo } = body.data;
      const asker = askerOf(visits)({ headers, ip });
      // Lines tried for one account are limited too, so that nobody finds its line by trying many.
      const ofAccount = networkDraws('accountGuess', ip).map((draw) => ({
        ...draw,
        subject: `account ${accountNo} from ${draw.subject}`,
      }));
      const { answer: isOwner } = await boundedGuess(
        { budgets, challenges, now },
        {
          effect: 'account',
          subject: msisdn,
          asker,
          budgets: { network: 'accountGuess', all: 'accountGuessAll' },
          also: [...ofAccount, { budget: 'accountLines', subject: accountNo }],
        },
        () => bills.matchAccount(msisdn, accountNo),
        (isMatch) => !isMatch,
      );
      if (!isOwner) throw new PortalError('accountMismatch');
      const proved = { purpose: purposes.invoice, subject: msisdn, visit: asker.visit, payment: null };
      return { uniqueCode: await otp.issueProof(proved) };
    },

    async bill({ body, headers, ip }) {
      const { msisdn, uniqueCode } = body.data;
      await otp.requireProof(uniqueCode, {
        purposes: [purposes.invoice],
        subject: msisdn,
        visit: visits.of({ headers, ip }),
      });
      const { totalOutstanding, ...owed } = await bills.owed(msisdn);
      return { ...owed, totalOutstanding: Number(totalOutstanding) };
    },

    async queryBalance({ body, headers, ip }) {
      const { msisdn, uniqueCode, serviceType = 'ALL' } = body.data;
      const wanted = [airtimeMode, leadTags.paymentMode, purposes.balance, purposes.number];
      await otp.requireProof(uniqueCode, { purposes: wanted, subject: msisdn, visit: visits.of({ headers, ip }) });
      const entries = await lines.balances(msisdn);
      return {
        queryBalanceResult: entries
          .filter(({ service }) => serviceType === 'ALL' || service === serviceType)
          .map((entry) => ({
            serviceType: entry.service,
            balanceDescription: entry.description,
            balanceType: entry.isUnlimited ? 'unlimited' : 'limited',
            balance: entry.amount,
            unitType: entry.units,
            ...(entry.expiresAt ? { expireTime: entry.expiresAt.toISOString() } : {}),
          })),
      };
    },

    /** A router cannot show a code, so it is sent to the number that its owner registered. */
    async fetchBalance({ body, headers, ip, language }) {
      if (!pack.features.dataBalance) throw new PortalError('balancesNotShown');
      const line = await lines.find(body.msisdn);
      if (!line?.broadband) throw new PortalError('lineUnknown', { field: 'msisdn' });
      const recipient = line.codeRecipient ?? body.msisdn;
      const txnRefId = await otp.send({
        msisdn: body.msisdn,
        purpose: purposes.balance,
        recipient,
        asker: askerOf(visits)({ headers, ip }),
        language,
      });
      return { otpRecipient: maskNational(fromWire(recipient), pack.numbering.groups), txnRefId };
    },
  };
}
