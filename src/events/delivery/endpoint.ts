import type { SealContext } from '../../store/seal.ts'
import { MAIN_ENDPOINT, type SendingEndpoint, type WebhookRow } from '../../store/webhooks/endpoints.ts'
import type { DeliveryKeys } from './body.ts'
import { secretBytes } from './signing.ts'

type EndpointField = 'url' | 'token' | 'secret'

/** Whose address and token it is: the main endpoint's bear the configuration's id alone, as when there was no other. */
export const ownerOf = ({
  configuration_id: id,
  endpoint,
}: Pick<WebhookRow, 'configuration_id' | 'endpoint'>): string => (endpoint === MAIN_ENDPOINT ? id : `${id} ${endpoint}`)

/** Address and token belong to the endpoint, each secret to itself. */
export const endpointPlace = (accountId: string, owner: string, field: EndpointField): SealContext => [
  accountId,
  owner,
  `webhook ${field}`,
]

export function sealForEndpoint(
  { accountId, accountKey }: DeliveryKeys,
  owner: string,
  field: EndpointField,
  text: string,
): string {
  return accountKey.seal(endpointPlace(accountId, owner, field), text).toString('hex')
}

export function openForEndpoint(
  { accountId, accountKey }: DeliveryKeys,
  owner: string,
  field: EndpointField,
  sealed: Buffer,
): string {
  return accountKey.unseal(endpointPlace(accountId, owner, field), sealed).toString('utf8')
}

/** Where to send, with which token, and the secrets that sign at this moment. */
export function openEndpoint(keys: DeliveryKeys, endpoint: SendingEndpoint) {
  const { sealed_url: url, sealed_token: token } = endpoint
  const owner = ownerOf(endpoint)
  return {
    url: openForEndpoint(keys, owner, 'url', url),
    token: token && openForEndpoint(keys, owner, 'token', token),
    secrets: endpoint.secrets.map((secret) => secretBytes(openForEndpoint(keys, secret.id, 'secret', secret.sealed))),
  }
}
