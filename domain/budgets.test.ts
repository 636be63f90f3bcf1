import { expect, test } from 'vitest';
import { budgetsOf, standardBudgets } from './budgets.ts';

const [minutes10, hour, day] = [600, 3_600, 86_400];

test('SEC-16 by default there is a budget for everything a stranger can cause', () => {
  expect(budgetsOf({})).toEqual({
    codeNumberSoon: { most: 4, seconds: minutes10 },
    codeGap: { most: 1, seconds: 60 },
    codeTurn: { most: 1, seconds: 90 },
    codeNumberDay: { most: 12, seconds: day },
    codeBlock: { most: 60, seconds: minutes10 },
    codeSmsAll: { most: 3_000, seconds: minutes10 },
    codeMailSoon: { most: 4, seconds: minutes10 },
    codeMailDay: { most: 12, seconds: day },
    codeMailAll: { most: 600, seconds: minutes10 },
    codeKept: { most: 1_000, seconds: minutes10 },
    networkVerified: { most: 1, seconds: day },
    networkOpen: { most: 1, seconds: minutes10 },
    codeNetworkSoon: { most: 3, seconds: minutes10 },
    codeNetworkDay: { most: 10, seconds: day },
    codeVerified: { most: 1, seconds: 30 * day },
    codeProved: { most: 5, seconds: minutes10 },
    challengeNetwork: { most: 2, seconds: minutes10 },
    questionNetwork: { most: 2, seconds: minutes10 },
    questionAll: { most: 60, seconds: minutes10 },
    questionEasy: { most: 1, seconds: hour },
    guessWrong: { most: 20, seconds: minutes10 },
    guessRight: { most: 20, seconds: minutes10 },
    accountGuess: { most: 5, seconds: hour },
    accountGuessAll: { most: 10, seconds: hour },
    accountLines: { most: 50, seconds: hour },
    invoiceGuess: { most: 10, seconds: hour },
    invoiceGuessAll: { most: 10, seconds: hour },
    promptPayer: { most: 3, seconds: hour },
    promptStranger: { most: 2, seconds: hour },
    promptKnown: { most: 3, seconds: hour },
    payerApproved: { most: 1, seconds: 30 * day },
    promptRecipient: { most: 30, seconds: hour },
    promptNetwork: { most: 120, seconds: hour },
    promptAll: { most: 6_000, seconds: hour },
    heardVisit: { most: 3, seconds: 3600 },
    heardNetwork: { most: 60, seconds: 3600 },
    noticeUnproved: { most: 3, seconds: hour },
    noticeNumber: { most: 60, seconds: hour },
    noticeMail: { most: 20, seconds: hour },
    noticeNetwork: { most: 600, seconds: hour },
    noticeAll: { most: 200_000, seconds: hour },
    noticeMailAll: { most: 50_000, seconds: hour },
    voteNetwork: { most: 120, seconds: hour },
    voteAnswer: { most: 20, seconds: day },
    voteAll: { most: 3_000, seconds: hour },
    searchNetwork: { most: 120, seconds: hour },
    searchWords: { most: 4, seconds: day },
    searchAll: { most: 3_000, seconds: hour },
    formNetwork: { most: 20, seconds: hour },
    formAll: { most: 600, seconds: hour },
    ticketPayment: { most: 10, seconds: hour },
    ticketUnproved: { most: 20, seconds: hour },
    ticketVisit: { most: 10, seconds: hour },
    ticketNetwork: { most: 20, seconds: hour },
    ticketAll: { most: 300, seconds: hour },
    ticketOwnAll: { most: 3_000, seconds: hour },
    heldNetwork: { most: 10, seconds: hour },
    heldAll: { most: 300, seconds: hour },
  });
});

test('a budget of the pack replaces that one and no other', () => {
  const own = { most: 1, seconds: 60 };
  expect(budgetsOf({ budgets: { codeSmsAll: own } })).toEqual({ ...standardBudgets, codeSmsAll: own });
});
