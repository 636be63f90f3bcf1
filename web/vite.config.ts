import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';

// One chunk for what every form needs: on a slow line ten small files cost more than their bytes.
const forms =
  /src\/features\/(recharge-form|line-check|flow-tabs|kept-order)\/|src\/features\/recent-purchases\/recents|src\/features\/bundle-list\/deferred|src\/lib\/device-keys|src\/ui\/(number-field|amount-field|amount-digits|field|field-frame|chip|card|tabs-nav|grouped-edit|early-input|skeleton|page-icons)\.|contract\/error-codes|domain\/(amount|line-types)\./;
// And one for what every list of bundles needs.
const bundles = /src\/features\/bundle-list\/(use-bundles|bundle-words)\.|domain\/bundle\./;
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
                { name: 'forms', test: forms },
                { name: 'bundles', test: bundles },
                { name: 'shared', test: shared },
              ],
            },
          },
        },
  },
}));
