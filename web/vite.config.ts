import babel from '@rolldown/plugin-babel';
import react, { reactCompilerPreset } from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), babel({ presets: [reactCompilerPreset()], exclude: [/node_modules/, /src\/ui\//] })],
  publicDir: 'public',
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    manifest: !isSsrBuild,
    target: 'es2020',
    assetsInlineLimit: 0,
    modulePreload: false,
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    rollupOptions: isSsrBuild ? {} : { input: 'src/app/entry-client.tsx' },
  },
}));
