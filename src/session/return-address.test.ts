import { expect, test } from 'vitest'
import { Problem } from '../problems.ts'
import { returnAddress } from './return-address.ts'

const LIST = [
  'https://clinic.example/back/',
  'https://clinic.example/done',
  'https://bücher.example',
  'https://clinic.example:8443/x',
]
const kept = (address: string): string | null => {
  try {
    return returnAddress(address, LIST)
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    return null
  }
}

test('an address on the list, or below an entry that ends in a slash, is kept as browsers read it', () => {
  expect(kept('https://clinic.example/done')).toBe('https://clinic.example/done')
  expect(kept('https://clinic.example/done?visit=1#top')).toBe('https://clinic.example/done?visit=1#top')
  expect(kept('https://clinic.example/back/')).toBe('https://clinic.example/back/')
  expect(kept('https://clinic.example/back/a/b?c=../d')).toBe('https://clinic.example/back/a/b?c=../d')
  expect(kept('https://clinic.example:8443/x')).toBe('https://clinic.example:8443/x')
})

test('the same address written another way is the same address', () => {
  expect(kept('HTTPS://CLINIC.Example/done')).toBe('https://clinic.example/done')
  expect(kept('https://clinic.example:443/done')).toBe('https://clinic.example/done')
  expect(kept('https://clinic.example/back/a/../b')).toBe('https://clinic.example/back/b')
  expect(kept('https://clinic.example/x/%2e%2e/done')).toBe('https://clinic.example/done')
  expect(kept('https://b%C3%BCcher.example')).toBe('https://xn--bcher-kva.example/')
  expect(kept('https://xn--bcher-kva.example/')).toBe('https://xn--bcher-kva.example/')
  expect(kept('https:clinic.example/done')).toBe('https://clinic.example/done')
})

const REFUSED = [
  'http://clinic.example/done',
  'https://clinic.example',
  'https://clinic.example/Done',
  'https://clinic.example/done/',
  'https://clinic.example/done/more',
  'https://clinic.example/donemore',
  'https://clinic.example/back',
  'https://clinic.example/back/../other',
  'https://clinic.example/back/%2e%2e/other',
  'https://clinic.example/back/.%2E/other',
  'https://clinic.example/back/..%2fother',
  'https://clinic.example/back/%5c..%5cother',
  'https://clinic.example/back\\..\\other',
  'https://clinic.example:444/done',
  'https://clinic.example:8443/done',
  'https://clinic.example./done',
  'https://clinic.example.evil.example/done',
  'https://evil.example/https://clinic.example/done',
  'https://clinic.example@evil.example/done',
  'https://clinic.example:443@evil.example/done',
  'https://user@clinic.example/done',
  'https://:secret@clinic.example/done',
  'https://evil.example\\@clinic.example/done',
  'https://evil.example#@clinic.example/done',
  'https://evil.example?@clinic.example/done',
  '\\\\clinic.example/done',
  '//clinic.example/done',
  '/done',
  'clinic.example/done',
  'javascript:alert(1)//https://clinic.example/done',
  'https://clinic.example/do\tne',
  'https://clinic.example/done\n',
  ' https://clinic.example/done',
  'https://clinic.example/done\u0000',
  'https://сlinic.example/done',
  'https://bücher.example/shop',
  'https://',
  'https://[::1]/done',
]
for (const address of REFUSED)
  test(`refused: ${JSON.stringify(address)}`, () => {
    expect(kept(address)).toBeNull()
  })

test('an entry without a path is that one address, not the whole host', () => {
  expect(returnAddress('https://clinic.example/', ['https://clinic.example'])).toBe('https://clinic.example/')
  expect(() => returnAddress('https://clinic.example/x', ['https://clinic.example'])).toThrow(Problem)
  expect(returnAddress('https://clinic.example/x', ['https://clinic.example/'])).toBe('https://clinic.example/x')
})

test('an entry that could itself be misread lets nobody through', () => {
  for (const entry of ['https://user@clinic.example/', 'https://clinic.example\\/', 'not an address'])
    expect(() => returnAddress('https://clinic.example/', [entry])).toThrow(Problem)
})
