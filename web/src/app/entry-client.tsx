import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { translator } from '../lib/translate.ts';
import { App } from './app.tsx';
import { withTimeLimit } from './arrival.ts';
import { ErrorView } from './error-view.tsx';
import type { InitialPage } from './initial-page.ts';
import { screens } from './screens.ts';

const root = document.getElementById('root') as HTMLElement;
const initial = JSON.parse(document.getElementById('page')?.textContent ?? '{}') as InitialPage;

withTimeLimit(screens[initial.screen ?? 'about'].import()).then(
  ({ Screen }) => {
    hydrateRoot(
      root,
      <StrictMode>
        <App initial={initial} screen={Screen} />
      </StrictMode>,
    );
    document.documentElement.dataset.hydrated = '';
  },
  (error: unknown) => {
    const t = translator(initial.texts);
    const texts = {
      title: t('common.unexpected'),
      retry: t('common.tryAgain'),
      home: t('common.toHome'),
      homeHref: '/',
    };
    // The page as it arrived still works by its own forms and links; the error is shown above it.
    const notice = document.createElement('div');
    root.before(notice);
    createRoot(notice).render(<ErrorView error={error} texts={texts} onRetry={() => window.location.reload()} />);
  },
);
