import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';

// On a slow line ten small files cost more than their bytes: one chunk for the forms that order something,
const forms =
  /src\/features\/(recharge-form|line-check|flow-tabs|kept-order)\/|src\/features\/config\/use-|src\/lib\/(left-order|payment-ahead|flow-entry)|src\/features\/bundle-list\/(deferred|use-bundles|bundle-order)|src\/ui\/(amount-field|amount-digits|tabs-nav)\.|domain\/amount\./;
// and one for what bills and payments share.
const bills = /src\/features\/bill-amount\/|domain\/(email|account-number)\./;
// What comes after any page shares with some screens: neither waits for all of the other.
const shared = /src\/lib\/cache\.|src\/offline\/(keep-answer|line)\.|domain\/constants/;
// What lies over a page comes after it as well, but no page waits for it.
const layers = /src\/ui\/(toast|loader|dialog)/;
// Codes and PINs are asked for in dialogs; facts are listed with what became of a payment or an order.
const codes = /src\/ui\/(digit-boxes|countdown)\.|src\/features\/otp-dialog\//;
const facts = /src\/ui\/(summary-list|timeline)\./;

/** Ours in place of Vite's helper around imports: smaller, in one round, and not for what the page has in itself. */
const bringFiles = (): Plugin => {
  const helper = '\0vite/preload-helper.js';
  let isReplaced = false;
  return {
    name: 'bring-files',
    apply: 'build',
    enforce: 'pre',
    load: (id) => {
      if (id !== helper) return null;
      isReplaced = true;
      return "export { bringFiles as __vitePreload } from '/src/lib/bring-files.ts';";
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
  plugins: [react(), ...(isSsrBuild ? [] : [bringFiles(), serviceWorker()])],
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
                { name: 'forms', test: forms },
                { name: 'bills', test: bills },
                { name: 'shared', test: shared },
                { name: 'layers', test: layers },
                { name: 'codes', test: codes },
                { name: 'facts', test: facts },
              ],
            },
          },
        },
  },
}));
