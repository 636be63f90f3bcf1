import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';

// On a slow line ten small files cost more than their bytes: one chunk for the pieces that most pages are made of,
const pieces =
  /src\/ui\/(card|skeleton|page-icons|field|field-frame|early-input|number-field|grouped-edit|chip)\.|src\/lib\/device-keys|src\/features\/recent-purchases\/recents|domain\/line-types|contract\/error-codes/;
// one for the forms that order something,
const forms =
  /src\/features\/(recharge-form|line-check|flow-tabs|kept-order)\/|src\/lib\/left-order|src\/features\/bundle-list\/deferred|src\/ui\/(amount-field|amount-digits|tabs-nav)\.|domain\/amount\./;
// one for what bills and payments share,
const bills = /src\/features\/bill-amount\/|domain\/(email|account-number)\./;
// and one for choosing a bundle.
const bundles = /src\/features\/bundle-list\/(use-bundles|bundle-order)\./;
// What comes after any page shares with some screens: neither waits for all of the other.
const shared = /src\/lib\/cache\.|src\/offline\/(keep-answer|line)\./;

/** The service worker is one script of its own, without imports: not every browser knows workers made of modules. */
const serviceWorker = (): Plugin => ({
  name: 'service-worker',
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
  plugins: [react(), ...(isSsrBuild ? [] : [serviceWorker()])],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    manifest: !isSsrBuild,
    target: 'es2020',
    assetsInlineLimit: 0,
    modulePreload: false,
    copyPublicDir: !isSsrBuild,
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: 'src/app/entry-client.tsx',
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: 'pieces', test: pieces },
                { name: 'forms', test: forms },
                { name: 'bills', test: bills },
                { name: 'bundles', test: bundles },
                { name: 'shared', test: shared },
              ],
            },
          },
        },
  },
}));
