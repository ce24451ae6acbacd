// Ids and moments that the examples share, so that they tell one story. No session has them.

/** The examples are the same in every deployment. */
export const EXAMPLE_URL = 'https://fyr.example.org'
export const SESSION_ID = '8f614926-a90b-4df9-935b-01284cbc2d44'
export const FILE_ID = '5d1f7a0e-6c1b-4f0e-9a53-0c2b7a9e4d11'
export const ANSWER_ID = '2f9c1f7e-3f5a-4b43-8f0c-6f4f0a3b1c52'
export const VISIT_ID = 'c1f3b7a2-94d5-4a7b-8a2e-51d0c6e7f890'
export const JUDGEMENT_ID = '615de164-fdf5-4e77-a3a2-44bc11dd0e88'
export const REQUEST_ID = '0bdf8632-c670-4b41-964e-8f832ee6d5fd'
export const EVENT_ID = 'evt_0d0f9a6c8d0b4b0c9a58f0d7f1f0b1aa'
export const SLUG = 'harbour-clinic'

export const CREATED_AT = '2027-01-15T09:18:57.178Z'
export const STARTED_AT = '2027-01-15T09:21:04.512Z'
export const COMPLETED_AT = '2027-01-15T09:26:40.003Z'
export const EXPIRES_AT = '2027-01-16T09:18:57.178Z'

/** As long as real ones, and plainly none. */
export const LINK_TOKEN = 'a-token-of-a-link-is-good-for-five-minutes-'
export const USER_SECRET = 'what-the-app-of-a-user-keeps-for-themselves'
export const INVITATION = 'what-stands-behind-the-hash-of-an-invite---'
