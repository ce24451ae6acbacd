import { defineConfig } from 'vite'

/** The pages: one bundle for patients, one for clinicians, found by the server through the manifest. */
export default defineConfig({
  root: 'web',
  publicDir: false,
  base: '/assets/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: 'manifest.json',
    assetsDir: '.',
    target: 'es2022',
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    reportCompressedSize: true,
    rolldownOptions: { input: { patient: 'web/patient/main.tsx', clinician: 'web/clinician/main.tsx' } },
  },
})
