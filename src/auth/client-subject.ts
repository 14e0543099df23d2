import { isIPv6 } from 'node:net';

/** An address with brackets or a port, as some proxies write it in X-Forwarded-For. */
const WITH_PORT = /^(?:\[(.*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;
/** An IPv4-mapped IPv6 address, which a dual-stack socket reports for an IPv4 client. */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

const GROUPS = 8;
/** Groups of an IPv6 address that identify the network; the user of the network chooses the others. */
const NETWORK_GROUPS = 4;

/**
 * The subject for which failed attempts from an address are counted. It is the address itself for IPv4 and the /64 network for
 * IPv6, because a client that has one address of such a network has all of them.
 *
 * Source: choice A9.
 */
export function clientSubject(address: string): string {
  const [, inBrackets, dotted] = WITH_PORT.exec(address) ?? [];
  const bare = inBrackets ?? dotted ?? address;
  if (!isIPv6(bare)) return bare;
  const written = standardForm(bare);
  const [, high, low] = MAPPED.exec(written) ?? [];
  if (high !== undefined && low !== undefined) return [...bytesOf(high), ...bytesOf(low)].join('.');
  const [front = [], back = []] = written.split('::').map((part) => part.split(':').filter(Boolean));
  const gap = Array<string>(GROUPS - front.length - back.length).fill('0');
  return `${[...front, ...gap, ...back].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** Lower case, without leading zeros, dots and zone; the longest run of zeros is `::`. */
function standardForm(address: string): string {
  return new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
}

function bytesOf(group: string): [high: number, low: number] {
  const value = parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
