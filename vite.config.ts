import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** Writes each file a second and third time, compressed, so that phones on slow lines get the small ones. */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle: ({ dir = '' }) => {
    for (const name of readdirSync(dir).filter((file) => /\.(js|css)$/.test(file))) {
      const bytes = readFileSync(`${dir}/${name}`)
      writeFileSync(`${dir}/${name}.br`, brotliCompressSync(bytes))
      writeFileSync(`${dir}/${name}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
}

/** The pages: one bundle for patients and one for when the service is away, one for clinicians, a style sheet for developers, found by the server through the manifest. */
export default defineConfig({
  root: 'web',
  publicDir: false,
  base: '/assets/',
  plugins: [compressed],
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
    rolldownOptions: {
      input: {
        patient: 'web/patient/main.tsx',
        again: 'web/patient/again.ts',
        clinician: 'web/clinician/main.tsx',
        docs: 'web/docs/docs.css',
      },
    },
  },
})
