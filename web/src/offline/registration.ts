import type { Language } from '@portal/domain/language.ts';
import { withPrefix } from '@portal/domain/language.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import { ownScript } from '../lib/trusted.ts';
import { isDataDear } from './connection.ts';
import { keepAnswer } from './keep-answer.ts';
import type { WorkerMessage } from './worker-scope.ts';

const tell = (worker: ServiceWorker | null, message: WorkerMessage) => worker?.postMessage(message);

/** Registers the worker; reports a newer version that is waiting. */
export async function startWorker(onWaiting: (worker: ServiceWorker) => void): Promise<ServiceWorkerRegistration> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(ownScript(paths.worker), { updateViaCache: 'none' });
  const look = (worker: ServiceWorker | null) => {
    if (worker?.state === 'installed' && serviceWorker.controller) onWaiting(worker);
  };
  look(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => look(installing));
  });
  return registration;
}

/** Disabled by the operator: a worker of an earlier visit is unregistered and its caches are deleted. */
export async function forgetWorker(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  for (const registration of registrations) await registration.update();
  if (registrations.length === 0) for (const name of await caches.keys()) await caches.delete(name);
}

/** Long enough to load what follows the script, such as a map, and to type and check a number. */
const onceMoreMs = 8_000;

/**
 * The page's styles were inlined; offline its screen may be opened from another page, and then needs the style files.
 */
function stylesInPage(): string[] {
  const { files = '' } = document.querySelector<HTMLElement>('style[data-files]')?.dataset ?? {};
  return files.split(' ').map((file) => `/${file}`);
}

/**
 * Caches what was loaded before the worker was active, the offline page, and the texts of all pages. Somewhat later,
 * what people look for offline: the help answers and the shops.
 */
export async function keepWhatIsShown(operator: Pick<PublicPack, 'opco' | 'brand'>, language: Language): Promise<void> {
  if (isDataDear()) return;
  const { opco, brand } = operator;
  const wasThere = navigator.serviceWorker.controller !== null;
  const { active } = await navigator.serviceWorker.ready;
  const keep = () =>
    tell(active, {
      kind: 'keep',
      pages: [window.location.href, window.location.origin + withPrefix(paths.offline, language)],
      assets: [...performance.getEntriesByType('resource').map(({ name }) => name), ...stylesInPage()],
      content: [],
    });
  keep();
  keepAnswer('activePackage', { opco, pageUrl: `${language.prefix}/translation` }, language.code);
  setTimeout(() => {
    // Requests made while the worker started bypassed it.
    if (!wasThere) keep();
    keepAnswer('faqs', { opco }, language.code);
    keepAnswer('shopList', { opco, kind: 'shop' }, language.code, brand.slug);
  }, onceMoreMs);
}

const takeOverWithinMs = 2_000;

/** Activates the newer version and reloads the page; while somebody pays in another tab only the reload happens. */
export function changeVersion(waiting: ServiceWorker): void {
  const reload = () => window.location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  tell(waiting, { kind: 'activate' });
  setTimeout(reload, takeOverWithinMs);
}
