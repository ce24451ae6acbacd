import type { ContentFile } from '../src/engine/compile/document.ts'

/** The content with its complaints copied under new names until there are `count` of them. */
export function withComplaints(count: number, files: readonly ContentFile[]): ContentFile[] {
  const originals = files.flatMap(({ path, text }) => {
    const [, id] = /complaints\/([^/]+)\/complaint\.yaml$/.exec(path) ?? []
    const [, prefix] = /^prefix: (\w+)$/m.exec(text) ?? []
    return id && prefix && /^kind: complaint$/m.test(text) ? [{ id, prefix }] : []
  })
  const all = [...files]
  let have = files.filter(({ path }) => path.endsWith('/complaint.yaml')).length
  for (let copy = 2; have < count && originals.length > 0; copy++) {
    for (const { id, prefix } of originals.slice(0, count - have)) {
      const ids = new RegExp(`\\b${id}\\b`, 'g')
      const prefixes = new RegExp(`\\b${prefix}(?=_)|(?<=^prefix: )${prefix}$`, 'gm')
      for (const { path, text } of files.filter((file) => file.path.includes(`/complaints/${id}/`)))
        all.push({
          path: path.replace(`/${id}/`, `/${id}-${copy}/`),
          text: text.replace(ids, `${id}-${copy}`).replace(prefixes, `${prefix}${copy}`),
        })
      have++
    }
  }
  return all
}
