import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';

/** Files that travel together, by part of their path: on a slow connection ten small files cost more than their bytes. */
const chunks: Record<string, string[]> = {
  // The forms that order something.
  forms: [
    'src/features/recharge-form/',
    'src/features/line-check/',
    'src/features/flow-tabs/',
    'src/features/kept-order/',
    'src/features/config/use-',
    'src/lib/unpaid-order.',
    'src/lib/prefetch-payment.',
    'src/lib/flow-entry.',
    'src/features/bundle-list/deferred',
    'src/features/bundle-list/use-bundles.',
    'src/features/bundle-list/bundle-order.',
    'src/ui/amount-field.',
    'src/ui/tabs-nav.',
    'domain/amount-input.',
  ],
  // What bills and payments share.
  bills: ['src/features/bill-amount/', 'domain/email.', 'domain/account-number.'],
  // What the lazy parts share with some screens: neither waits for all of the other.
  shared: [
    'src/lib/cache.',
    'src/features/config/fetch-',
    'src/lib/use-live.',
    'src/lib/use-polling.',
    'src/offline/keep-answer.',
    'src/offline/connection.',
    'domain/constants',
    'domain/screens.',
  ],
  // What lies over a page is lazy as well, but no page waits for it.
  layers: ['src/ui/toast', 'src/features/toast/show-', 'src/ui/loader', 'src/ui/dialog'],
  // Codes and PINs are asked for in dialogs; facts are listed with what became of a payment or an order.
  codes: ['src/ui/digit-boxes.', 'src/ui/countdown.', 'src/features/otp-dialog/'],
  facts: ['src/ui/summary-list.', 'src/ui/timeline.'],
};

/** A file that was renamed would leave its chunk without anybody noticing. */
const everyChunkRuleMatches = (): Plugin => ({
  name: 'every-chunk-rule-matches',
  apply: 'build',
  buildEnd(error) {
    const modules = [...this.getModuleIds()];
    const idle = Object.values(chunks)
      .flat()
      .filter((part) => !modules.some((id) => id.includes(part)));
    if (!error && idle.length > 0) this.error(`no file has in its path: ${idle.join(', ')}`);
  },
});

/** Ours in place of Vite's helper around imports: smaller, in one round, and not for what the page has in itself. */
const loadFiles = (): Plugin => {
  const helper = '\0vite/preload-helper.js';
  let isReplaced = false;
  return {
    name: 'load-files',
    apply: 'build',
    enforce: 'pre',
    load: (id) => {
      if (id !== helper) return null;
      isReplaced = true;
      return "export { loadFiles as __vitePreload } from '/src/loading/load-files.ts';";
    },
    buildEnd(error) {
      if (!error && !isReplaced)
        this.error(`Vite has no ${helper} any more: find out how its imports bring their styles`);
    },
  };
};

/** The service worker is one script of its own, without imports: not every browser knows workers made of modules. */
const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  closeBundle: async () => {
    await build({
      configFile: false,
      root: import.meta.dirname,
      publicDir: false,
      logLevel: 'warn',
      build: {
        outDir: 'dist/worker',
        target: 'es2020',
        modulePreload: false,
        rolldownOptions: {
          input: 'src/offline/worker.ts',
          output: { format: 'iife', entryFileNames: 'sw.js' },
        },
      },
    });
  },
});

export default defineConfig(({ isSsrBuild }) => ({
  // A library brings this for old versions of React; ours has it.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  plugins: [react(), ...(isSsrBuild ? [] : [loadFiles(), everyChunkRuleMatches(), serviceWorker()])],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    manifest: !isSsrBuild,
    target: 'es2020',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    copyPublicDir: !isSsrBuild,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: 'src/app/entry-client.tsx',
          // A code of the contract is a word or a number: written where it is asked for, it needs no script of its own.
          optimization: { inlineConst: { mode: 'all' } },
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                // Whatever the entry imports stays with it; else what screens share with it would be split off.
                { name: 'entry-client', tags: ['$initial'] },
                ...Object.entries(chunks).map(([name, parts]) => ({
                  name,
                  test: (id: string) => parts.some((part) => id.includes(part)),
                })),
              ],
            },
          },
        },
  },
}));
