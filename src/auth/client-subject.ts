import { isIPv6 } from 'node:net';

/** An IPv4 address in the clothes of an IPv6 one, as a socket that listens for both reports it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Groups of an IPv6 address that name the network; the other four are its user's to choose. */
const NETWORK_GROUPS = 4;

/**
 * Whom to hold to account for a request from an address: an IPv4 address is one subject; of IPv6 a whole /64 network
 * is, because whoever has one address of it has all of them.
 */
export function clientSubject(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  // A dotted quad at the end stands for two groups, beyond the network's four whatever precedes it.
  const gap =
    tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length - (tail.includes('.') ? 1 : 0));
  const groups = [...front, ...Array<string>(gap).fill('0'), ...back];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
