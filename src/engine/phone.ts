const WRITTEN = /^\+?[0-9][0-9 ()./-]{4,30}$/
const FEWEST_DIGITS = 5

/** Whether a text can be dialled as it is written. The page and the service use the same check. */
export const isPhoneNumber = (text: string): boolean =>
  WRITTEN.test(text) && text.replace(/\D/g, '').length >= FEWEST_DIGITS
