import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// One chunk for what every form needs: on a slow line eight small files cost more than their bytes.
const forms =
  /src\/features\/(recharge-form|line-check|flow-tabs)\/|src\/ui\/(number-field|amount-field|field|field-frame|chip|card|tabs-nav|grouped-edit|early-input)\.|contract\/error-codes/;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react()],
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
            codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: 'forms', test: forms }] },
          },
        },
  },
}));
