import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Problem } from '../lib/api.ts';
import { LanguageProvider } from '../lib/language.tsx';
import { App } from './app.tsx';
import { resolveVariables, theme } from './theme.ts';

// The component library writes style sheets as text; text that looks like markup is rejected.
(window as { trustedTypes?: { createPolicy(name: string, rules: object): void } }).trustedTypes?.createPolicy(
  'default',
  {
    createHTML: (text: string) => {
      if (text.includes('<')) throw new TypeError('markup is not made out of text here');
      return text;
    },
  },
);

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
// The scroll lock behind dialogs writes a style sheet, and reads the nonce from here.
(window as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;
const queries = new QueryClient({
  defaultOptions: {
    // Otherwise an act without a connection would wait for it, and be done later in the name of a person who cancelled.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // A refusal is final; only a request without a response is retried.
      retry: (count, problem) => count < 2 && problem instanceof Problem && problem.code === 'unreachable',
      staleTime: 5_000,
    },
  },
});

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <Notifications position="top-right" containerWidth="min(26rem, calc(100vw - 2rem))" />
          <App />
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>,
  );
