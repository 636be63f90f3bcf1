import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { calendarDay, dayPlus } from '@portal/domain/calendar-day.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { payingStepOf } from '@portal/domain/paying-steps.ts';
import type { ConsoleHandlers } from '../console/console.service.ts';
import type { Analytics, DayCount } from './analytics.service.ts';

type Insight = ConsoleResult<'insight'>;

/** Days in the operator's time zone, inclusive. */
interface DayRange {
  from: string;
  to: string;
}

interface InsightDesk {
  analytics: Pick<Analytics, 'byDay'>;
  /** Counts from other areas. */
  votes: (range: DayRange) => Promise<Omit<Insight['votes'][number], 'title'>[]>;
  titles: (locale: string) => Promise<{ questionId: string; question: string }[]>;
  searches: (range: DayRange) => Promise<Insight['searches']>;
  feedback: (range: DayRange) => Promise<Insight['feedback']>;
  payments: (range: DayRange) => Promise<Insight['payments']>;
  pack: Pick<OperatorPack, 'timeZone' | 'languages' | 'defaultLocale' | 'numbering' | 'methods'>;
  now: () => Date;
}

/** The insight page for editors, publishers and operators. It has only counts, none of which identifies a person. */
export function insightHandlers({ analytics, pack, now, ...areas }: InsightDesk) {
  const wayName = (gateway: string) => pack.methods.find((method) => method.gateway === gateway)?.name ?? gateway;
  return {
    async insight({ days: wanted, reader }) {
      const read = pack.languages.find(({ code }) => code.toLowerCase() === reader)?.locale ?? pack.defaultLocale;
      const to = calendarDay(now(), pack.timeZone);
      const days = Array.from({ length: wanted }, (_, index) => dayPlus(to, index - wanted + 1));
      const range = { from: days[0] ?? to, to };
      const [counts, votes, titles, searches, feedback, payments] = await Promise.all([
        analytics.byDay(range),
        areas.votes(range),
        areas.titles(read),
        areas.searches(range),
        areas.feedback(range),
        areas.payments(range),
      ]);
      const titleOf = new Map(titles.map(({ questionId, question }) => [questionId, question]));
      return {
        days,
        languages: pack.languages.map(({ locale, name }) => ({ locale, name })),
        votes: votes.map((vote) => ({ ...vote, title: titleOf.get(vote.question) ?? vote.question })),
        searches,
        feedback,
        payments: payments.map(({ way, ...row }) => ({ ...row, way: wayName(way) })),
        steps: counts.flatMap((row) => stepOf(row, pack.numbering.countryCode)),
        flows: counts.filter((row) => !isPaymentAgain(row, pack.numbering.countryCode)).flatMap(endOf),
      };
    },
  } satisfies ConsoleHandlers;
}

function stepOf({ event, page_name, day, language, count }: DayCount, countryCode: string): Insight['steps'] {
  const step = event === 'page_view' ? payingStepOf(page_name, countryCode) : null;
  return step ? [{ day, language, step, count }] : [];
}

/** The status page reports a recharge or a paid request under its own name, too: the purchase is counted as a payment. */
const isPaymentAgain = ({ flow, page_name }: DayCount, countryCode: string): boolean =>
  (flow === 'recharge' || flow === 'lead') && payingStepOf(page_name, countryCode) === 'status';

function endOf({ event, flow, day, language, outcome, count }: DayCount): Insight['flows'] {
  if ((event !== 'success' && event !== 'failure') || !flow) return [];
  return [{ day, language, flow: flow as Insight['flows'][number]['flow'], ended: event, outcome, count }];
}
