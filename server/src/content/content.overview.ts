import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { inRows, layoutOf } from '@portal/domain/content/package-rows.ts';
import { type ContentChange, isSeen, type PackageVersion } from './content.editing.ts';
import type { Plan } from './content.plans.ts';
import type { Content } from './content.service.ts';
import { textsIn } from './package-shape.ts';

type Page = ConsoleResult<'contents'>['packages'][number]['pages'][number];
type Named = ReturnType<Content['packages']>[number];

/** The versions, changes and schedule of a page. */
export interface History {
  versions: PackageVersion[];
  changes: ContentChange[];
  plan: Plan | undefined;
}

export async function historiesOf({ editing }: Pick<Content, 'editing'>): Promise<(page: string) => History> {
  const [versions, changes, plans] = await Promise.all([editing.list(), editing.allChanges(), editing.plans()]);
  const versionsOf = Map.groupBy(versions, ({ page }) => page);
  const changesOf = Map.groupBy(changes, ({ page }) => page);
  return (page) => ({
    versions: versionsOf.get(page) ?? [],
    changes: changesOf.get(page) ?? [],
    plan: plans.find((plan) => plan.page === page),
  });
}

/** When a version was written and by whom; null for one of the pack. */
export function writtenOf({ changes }: History, { version, importedAt }: PackageVersion) {
  const draft = changes.find((change) => change.version === version && change.action === 'draft');
  return { version, at: importedAt.toISOString(), by: draft?.by ?? null };
}

export const wasShown = ({ changes }: History, version: PackageVersion): boolean => isSeen(version, changes);

/** A newer version of a release that was neither published nor replaced. */
function releaseOf(history: History, shown: Page['shown']): Page['release'] {
  const newer = history.versions.find((one) => one.offered && one.version > shown.version && !wasShown(history, one));
  return newer ? writtenOf(history, newer) : null;
}

/** Null if nothing was ever stored. */
function shownOf(history: History): Page['shown'] | null {
  const active = history.versions.find((one) => one.active);
  if (!active) return null;
  const { version, importedAt } = active;
  const activated = history.changes.findLast((change) => change.version === version && change.action !== 'draft');
  return { version, at: (activated?.at ?? importedAt).toISOString(), by: activated?.by ?? null };
}

/** When the active version was first published, since republishing makes it no newer. Null for one of the pack. */
function publishedOf({ versions, changes }: History): string | null {
  const active = versions.find((one) => one.active);
  const first = changes.find(({ version, action }) => version === active?.version && action === 'activate');
  return first?.at.toISOString() ?? null;
}

function planOf({ plan }: History): Page['plan'] {
  if (!plan) return null;
  const { id, version, at, planned_by, state } = plan;
  return { id, version, at: at.toISOString(), by: planned_by, state };
}

/** The pages of a package, one for each language. `bodies` are compared, by page. */
export function pagesOf(
  { pages }: Named,
  history: (page: string) => History,
  bodies: ReadonlyMap<string, unknown>,
): Page[] {
  const layout = layoutOf(Object.fromEntries(pages.map(({ page }) => [page, bodies.get(page)])));
  const placesOf = (page: string) => {
    const texts = textsIn(inRows(layout, page, bodies.get(page)));
    return new Set(texts.flatMap(([at, , text]) => (text ? [at] : [])));
  };
  const all = new Set(pages.flatMap(({ page }) => [...placesOf(page)]));
  // Only what people published counts: the pack changes all languages at once.
  const lastByHand = pages
    .map(({ page }) => publishedOf(history(page)) ?? '')
    .reduce((last, at) => (at > last ? at : last), '');
  return pages.flatMap(({ page, locale }) => {
    const own = history(page);
    const shown = shownOf(own);
    if (!shown) return [];
    const [newest] = own.versions.filter((one) => !one.offered || wasShown(own, one));
    const places = placesOf(page);
    return {
      page,
      locale,
      shown,
      // A version that was published and rolled back is no draft.
      draft: newest && !wasShown(own, newest) ? writtenOf(own, newest) : null,
      release: releaseOf(own, shown),
      plan: planOf(own),
      missing: [...all].filter((at) => !places.has(at)),
      isOlder: (publishedOf(own) ?? '') < lastByHand,
    };
  });
}
