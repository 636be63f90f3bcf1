import { withPrefix } from '@portal/domain/language.ts';
import { knowMarks } from '@portal/domain/number-format.ts';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { ScreenModule } from '../lib/screen.ts';
import { leaveNoNamesBehind } from '../lib/shared-phone.ts';
import { translator } from '../lib/translate.ts';
import { letLibrariesWrite } from '../lib/trusted.ts';
import { withTimeout } from '../loading/timeout.ts';
import { App } from './app.tsx';
import { ErrorView } from './error-view.tsx';
import type { InitialPage } from './initial-page.ts';
import './entry-chunk.ts';

letLibrariesWrite();

const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
leaveNoNamesBehind(arrival?.type === 'back_forward');

const root = document.getElementById('root') as HTMLElement;
const initial = JSON.parse(document.getElementById('page')?.textContent ?? '{}') as InitialPage;

const shown = initial.operator.languages.find(({ code }) => code === initial.language);
if (shown) knowMarks(shown.formats, initial.marks);

// The page names its own script: the list of all screens is only needed to navigate.
withTimeout(import(/* @vite-ignore */ initial.script) as Promise<ScreenModule>).then(
  ({ Screen }) => {
    hydrateRoot(
      root,
      <StrictMode>
        <App initial={initial} screen={Screen} />
      </StrictMode>,
    );
  },
  (error: unknown) => {
    // It says that the network is missing, and its links work without script.
    if (initial.screen === 'offline') return;
    const t = translator(initial.texts);
    const texts = {
      title: t(navigator.onLine ? 'common.unexpected' : 'common.offline'),
      retry: t('common.tryAgain'),
      home: t('common.toHome'),
      homeHref: shown ? withPrefix('/', shown) : '/',
    };
    // The browser's own message is in English.
    const message = t(error instanceof Error && error.name === 'ChunkLoadError' ? 'common.tooSlow' : 'common.noAnswer');
    // The server-rendered page still works through its forms and links; the error is shown above it.
    const notice = document.createElement('div');
    root.before(notice);
    createRoot(notice).render(<ErrorView error={message} texts={texts} onRetry={() => window.location.reload()} />);
  },
);
