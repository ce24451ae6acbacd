import { useEffect, useState } from 'preact/hooks'

const NOTICED_MS = 400

/** True once something has taken long enough to be noticed; a quick answer shows no sign of waiting. */
export function useSlow(isBusy: boolean): boolean {
  const [isSlow, tell] = useState(false)
  useEffect(() => {
    if (!isBusy) return tell(false)
    const timer = setTimeout(() => tell(true), NOTICED_MS)
    return () => clearTimeout(timer)
  }, [isBusy])
  return isSlow && isBusy
}
