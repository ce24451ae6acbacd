import { BlockList, isIP, isIPv4 } from 'node:net'
import { PRIVATE_NETWORKS } from '../../setting-values.ts'

/** Where no webhook may go: this machine, private and shared networks, cloud metadata, and addresses that stand for others. */
const REFUSED_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '168.63.129.16/32', // a cloud's metadata behind a public address
  '169.254.0.0/16', // link-local, metadata
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/** In IPv6 only global unicast is reachable at all; within it, these are not ordinary hosts or embed IPv4. */
const GLOBAL_V6 = '2000::/3'
const REFUSED_V6 = [
  '2001::/23', // Teredo, ORCHID, benchmarks and other protocol assignments
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
]

/** Cloud metadata inside ranges that an operator may open. */
const METADATA = ['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    list.addSubnet(address, Number(bits || (isIPv4(address) ? 32 : 128)), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

const refusedV4 = listOf(REFUSED_V4)
const refusedV6 = listOf(REFUSED_V6)
const globalV6 = listOf([GLOBAL_V6])
const loopback = listOf(['127.0.0.0/8', '::1/128'])

/** Whether the address is one of the public internet. Text that is no address is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refusedV4.check(address, 'ipv4')
  return family === 6 && !address.includes('%') && globalV6.check(address, 'ipv6') && !refusedV6.check(address, 'ipv6')
}

/** Whether the address is one that an operator may open: in a private network, and not a cloud's metadata. */
export const isPrivateAddress = (address: string): boolean => isPrivate(address) && !isMetadata(address)

/**
 * Tests whether an address is in a list of networks and addresses; each family is tested by itself, so that no address
 * passes as one of the other.
 */
export function networksOf(targets: readonly string[]): (address: string) => boolean {
  const lists = {
    4: listOf(targets.filter((target) => !target.includes(':'))),
    6: listOf(targets.filter((target) => target.includes(':'))),
  }
  return (address) => {
    const family = isIP(address)
    return (family === 4 || family === 6) && isIn(lists[family], address)
  }
}

const isPrivate = networksOf(PRIVATE_NETWORKS)
const isMetadata = networksOf(METADATA)

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

/** Whether the address is loopback, written plainly. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && !/^::ffff:/i.test(address) && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
