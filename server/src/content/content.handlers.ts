import type { OperatorPack } from '@portal/domain/operator.ts';
import { moneyPath, paths } from '@portal/domain/paths.ts';
import { indexedPaths, screenAt } from '@portal/domain/screens.ts';
import type { Approvals } from '../approvals/approvals.service.ts';
import { type Console, type ConsoleHandlers, ConsoleRefusal, type Signed } from '../console/console.service.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import { historiesOf, pagesOf, wasShown, writtenOf } from './content.overview.ts';
import type { Item } from './content.plans.ts';
import { previewTokens } from './content.preview.ts';
import { refusing } from './content.publications.ts';
import type { Content } from './content.service.ts';
import { textsIn } from './package-shape.ts';
import { pageLanguage } from './page-language.ts';

interface ContentDesk {
  content: Content;
  approvals: Pick<Approvals, 'propose'>;
  console: Pick<Console, 'isProved'>;
  votes: () => Promise<Record<string, { likes: number; votes: number }>>;
  pack: OperatorPack;
  tokens: SealedTokens;
  /** The origin of the customers' pages; empty if it is the console's own. */
  pagesOrigin: string;
  takesTwo: boolean;
  now: () => Date;
}

type Body = Record<string, unknown> | unknown[];

/** A later date is probably a mistyped year. */
const mostYears = 2;

function yearsFrom(moment: Date, years: number): Date {
  const then = new Date(moment);
  then.setUTCFullYear(then.getUTCFullYear() + years);
  return then;
}

/** The console calls of editors and publishers. */
export function contentConsoleHandlers(desk: ContentDesk) {
  const { content, approvals, pack, takesTwo, now } = desk;
  const { editing } = content;
  const previews = previewTokens(desk.tokens);

  /** Paths of pages that show a package; for texts on every page, the home page comes first. */
  function pathsOf(name: string): string[] {
    const own: Record<string, string[]> = {
      homepage: [paths.home],
      'contact-us': [paths.contactUs],
      'privacy-policy': [paths.privacy],
      'mobile-money': [moneyPath(pack.brand.slug)],
      'lead-device': [paths.homeBroadband],
      'lead-form-schema': [paths.homeBroadband],
    };
    return name === 'faq' ? [paths.help] : (own[name] ?? indexedPaths(pack));
  }

  /** Page titles; for a help answer, its question. */
  function seenAt({ name, pages }: ReturnType<Content['packages']>[number], bodies: ReadonlyMap<string, unknown>) {
    const titled = pathsOf(name).map((path) => {
      const key = screenAt(path, pack, { gallery: false })?.title ?? '';
      const titles = pack.languages.map(({ locale }) => [
        locale,
        content.text(locale, key, { brand: pack.brand.name }),
      ]);
      return { path, titles: Object.fromEntries(titles) as Record<string, string> };
    });
    if (name !== 'faq') return titled;
    const questions = new Map<string, Record<string, string>>();
    for (const { page, locale } of pages) {
      const texts = textsIn(bodies.get(page));
      const textAt = new Map(texts.map(([at, , text]) => [at, text]));
      for (const [at, , id] of texts.filter(([place]) => /questions\[\d+\]\.id$/.test(place))) {
        const question = textAt.get(at.replace(/id$/, 'question')) ?? id;
        questions.set(id, { ...questions.get(id), [locale ?? '']: question });
      }
    }
    return [...titled, ...[...questions].map(([id, titles]) => ({ path: `${paths.help}/${id}`, titles }))];
  }

  const bodiesOf = async (pages: readonly { page: string; version?: number }[]) =>
    new Map(
      await Promise.all(pages.map(async ({ page, version }) => [page, await content.editable(page, version)] as const)),
    );

  async function named(name: string) {
    if (content.isTable(name)) throw new ConsoleRefusal('isTable');
    const found = content.packages().find((one) => one.name === name);
    if (!found) throw new ConsoleRefusal('notFound');
    const history = await historiesOf(content);
    const stored = found.pages.filter(({ page }) => history(page).versions.some(({ active }) => active));
    return { found: { ...found, pages: stored }, history };
  }

  const codeOf = (page: string) => pageLanguage(pack, page)?.code ?? '';

  /** A proposal covers a single package, so that the approver sees what belongs together. */
  function refuseStrays(name: string, items: readonly Item[]): void {
    const own = content.packages().find((one) => one.name === name)?.pages ?? [];
    const pages = items.map(({ page }) => page);
    const isOwn = pages.every((page) => own.some((one) => one.page === page));
    if (!isOwn || new Set(pages).size < pages.length) throw new ConsoleRefusal('invalid', { field: 'items' });
  }

  /** Acting alone needs the permission to approve, and a fresh step-up. */
  function isAlone(signed: Signed): boolean {
    if (takesTwo || !signed.may('content.publish')) return false;
    if (!desk.console.isProved(signed)) throw new ConsoleRefusal('proveAgain');
    return true;
  }

  return {
    async contents() {
      const history = await historiesOf(content);
      const packages = content.packages();
      const compared = packages.flatMap(({ pages }) => (pages.length > 1 ? pages : []));
      const stored = compared.filter(({ page }) => history(page).versions.some(({ active }) => active));
      const bodies = await bodiesOf(stored.map(({ page }) => ({ page })));
      return {
        packages: packages.map((one) => ({ name: one.name, pages: pagesOf(one, history, bodies) })),
      };
    },

    async content({ name }) {
      const { found, history } = await named(name);
      const shown = await bodiesOf(found.pages.map(({ page }) => ({ page })));
      const current = pagesOf(found, history, shown);
      const working = new Map(current.map((page) => [page.page, page.draft?.version ?? page.shown.version]));
      const [bodies, votes] = await Promise.all([
        bodiesOf([...working].map(([page, version]) => ({ page, version }))),
        name === 'faq' ? desk.votes() : {},
      ]);
      const [first] = found.pages;
      if (!first) throw new ConsoleRefusal('notFound');
      return {
        name,
        pages: pagesOf(found, history, bodies).map((page) => {
          const own = history(page.page);
          return {
            ...page,
            newest: own.versions[0]?.version ?? 0,
            working: working.get(page.page) ?? 0,
            body: bodies.get(page.page) as Body,
            gaps: content.gapsOf(page.page, bodies.get(page.page)),
            shownBody: shown.get(page.page) as Body,
            versions: own.versions.map((one) => ({ ...writtenOf(own, one), wasShown: wasShown(own, one) })),
          };
        }),
        shape: content.shapeOf(first.page),
        votes,
        seenAt: seenAt(found, bodies),
        takesTwo,
      };
    },

    async contentVersion({ page, version }) {
      return { page, version, body: (await refusing(content.editable(page, version))) as Body };
    },

    async contentPreview({ drafts, at }, { session }) {
      const wanted = drafts.split(',').map((one) => {
        const [page = '', version = ''] = one.split(' ');
        return { page, version: Number(version) };
      });
      for (const { page, version } of wanted) await refusing(editing.show(page, version || 0));
      return { address: `${desk.pagesOrigin}${previews.addressOf({ session, drafts: wanted, at })}` };
    },

    async saveContent({ drafts }, signed) {
      const known = new Set(content.packages().flatMap(({ pages }) => pages.map(({ page }) => page)));
      if (!drafts.every(({ page }) => known.has(page))) throw new ConsoleRefusal('invalid', { field: 'drafts' });
      return { kept: await refusing(editing.save(drafts, signed.actor)) };
    },

    async publishContent({ name, items, at, reason }, signed) {
      refuseStrays(name, items);
      if (at && new Date(at) <= now()) throw new ConsoleRefusal('timePast', { field: 'at' });
      if (at && new Date(at) > yearsFrom(now(), mostYears))
        throw new ConsoleRefusal('tooFarAhead', { field: 'at', parameters: { years: mostYears } });
      const same = items.find(({ version, shown }) => version === shown);
      if (same) throw new ConsoleRefusal('invalid', { field: same.page });
      await refusing(editing.check(items));
      const alone = isAlone(signed);
      const codes = items.map(({ page }) => codeOf(page)).filter(Boolean);
      const proposal = await approvals.propose(signed, {
        kind: 'publication',
        subject: { kind: 'content', id: items.map(({ page }) => page).join(' ') },
        payload: { name: `${name} (${codes.join(', ')})`, amount: null, currency: null, items, at },
        reason,
        needsTwo: !alone,
      });
      return { proposal, isDone: alone };
    },

    async rollBackContent({ items, reason }, signed) {
      // A version that was never published needs an approval like any new one.
      for (const { page, version } of items)
        if (!(await editing.wasShown(page, version))) throw new ConsoleRefusal('notPossible', { field: page });
      await refusing(editing.publish({ items, by: signed.actor, as: 'roll back', reason }));
      return null;
    },

    async takeBackContent({ id, reason }, signed) {
      if (!(await editing.takeBack(id, signed.actor, reason))) throw new ConsoleRefusal('notPossible');
      return null;
    },
  } satisfies ConsoleHandlers;
}
