/** The groups of the menu of complaints, in its order. */
export const FAMILIES = [
  'child',
  'airways',
  'ear-eye-mouth',
  'heart',
  'belly',
  'head',
  'back-joints',
  'injury',
  'skin',
  'urine-sex',
  'pregnancy',
  'mind',
] as const
export type Family = (typeof FAMILIES)[number]
