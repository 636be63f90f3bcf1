import type { Language } from '@portal/domain/language.ts';
import { withPrefix } from '@portal/domain/language.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import { ownScript } from '../lib/trusted.ts';
import { isDataDear } from './connection.ts';
import { keepAnswer } from './keep-answer.ts';
import type { WorkerMessage } from './worker-scope.ts';

const tell = (worker: ServiceWorker | null, message: WorkerMessage) => worker?.postMessage(message);

/** Starts the worker; tells of a newer version that waits behind the one in charge. */
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

/** Switched off by the operator: a worker of an earlier visit hears of it at once, and what one left behind goes. */
export async function forgetWorker(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  for (const registration of registrations) await registration.update();
  if (registrations.length === 0) for (const name of await caches.keys()) await caches.delete(name);
}

/** Long enough for what a page loads after its script, such as a map, and for a number to be typed and checked. */
const onceMoreMs = 8_000;

/** The page came with its styles in it; without network its screen is opened from elsewhere too, and needs their files. */
function stylesInPage(): string[] {
  const { files = '' } = document.querySelector<HTMLElement>('style[data-files]')?.dataset ?? {};
  return files.split(' ').map((file) => `/${file}`);
}

/**
 * What was loaded before the worker was there, the page that says that there is no network, and the words of all pages.
 * Somewhat later what somebody without network looks for: the answers of the help centre, and where a shop is.
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
    // What was under way while the worker started went past it.
    if (!wasThere) keep();
    keepAnswer('faqs', { opco }, language.code);
    keepAnswer('shopList', { opco, kind: 'shop' }, language.code, brand.slug);
  }, onceMoreMs);
}

const takeOverWithinMs = 2_000;

/** The newer version takes over and the page is loaded anew; while somebody pays in another tab only the latter. */
export function changeVersion(waiting: ServiceWorker): void {
  const reload = () => window.location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  tell(waiting, { kind: 'activate' });
  setTimeout(reload, takeOverWithinMs);
}
